"""Who is scored: the systems of a study, and the baselines made from its texts."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpora.models import Study
from evaluation.baselines import BASELINES, BaselineInput
from evaluation.scoring.style_words import style_words_of
from evaluation.snapshot_builder.texts import StudyTexts


@dataclass(frozen=True)
class OutputSet:
    """Outputs (n) by unit, None where there is none; `pk` is a system's key, None for what is none."""

    name: str
    outputs: Sequence[str | None]
    pk: int | None = None
    are_references: bool = False


def system_outputs(texts: StudyTexts) -> list[OutputSet]:
    """The systems of a study, in their order."""
    pairs = enumerate(zip(texts.systems, texts.rows, strict=False))
    return [OutputSet(row.name, row.outputs, system.pk, texts.are_references(place)) for place, (system, row) in pairs]


def source_and_reference_outputs(texts: StudyTexts) -> list[OutputSet]:
    """The source and the reference, where people judged them beside the systems."""
    first = len(texts.systems)
    rows = enumerate(texts.rows[first:], first)
    return [OutputSet(row.role, row.outputs, are_references=texts.are_references(place)) for place, row in rows]


def baseline_outputs(study: Study, texts: StudyTexts) -> list[OutputSet]:
    """The baselines of a study; one that cannot be made for any unit is left out."""
    units = texts.units
    given = BaselineInput(
        sources=units.sources,
        references=units.references,
        target_styles=[units.directions[place][1] for place in units.direction],
        style_words=style_words_of(study, units, texts.language),
        language=texts.language,
    )
    output_sets = [OutputSet(name, BASELINES[name].make(given)) for name in BASELINES]
    return [output_set for output_set in output_sets if any(output_set.outputs)]
