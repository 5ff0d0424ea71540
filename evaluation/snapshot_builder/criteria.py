"""Judgements as a snapshot holds them: by criterion, once for each system that gave the judged text."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from annotation.models import Criterion
from annotation.scales import SCALES
from corpora.models import Study
from evaluation.snapshot import RANK, CriterionJudgements
from evaluation.snapshot_builder.judgement_table import JudgementTable
from evaluation.snapshot_builder.texts import StudyTexts
from foundation.key_labels import label_of_key
from foundation.polarity import Poles

Places = NDArray[np.intp]


@dataclass(frozen=True)
class CriterionScale:
    """What a criterion asks: its scale and the two ends of it."""

    name: str
    scale: str
    level: str
    aspect: str
    lowest: float
    highest: float
    better: bool | None = True
    poles: Poles | None = None

    @property
    def is_ordered(self) -> bool:
        """Whether one value is more than another."""
        return self.level != "nominal"


@dataclass(frozen=True)
class JudgedOutputs:
    """Which texts are whose: `text` (p,) of the judged texts, the `system` that gave it and the `unit` it stands in."""

    text: Places
    system: Places
    unit: Places

    def of(self, chosen: NDArray[np.bool_]) -> "JudgedOutputs":
        """Those alone."""
        return JudgedOutputs(self.text[chosen], self.system[chosen], self.unit[chosen])


def criterion_scales(study: Study, given: JudgementTable) -> list[CriterionScale]:
    """The criteria that somebody judged: the study's in their order, then ranks and what else campaigns asked."""
    own = {row.name: row for row in Criterion.objects.filter(study=study)}
    judged = {given.criteria[code] for code in np.unique(given.criterion)}
    named = [name for name in own if name in judged]
    return [
        *[_on_scale(own[name]) for name in named],
        *[_by_values(name, given) for name in given.criteria if name in judged and name not in own],
    ]


def _on_scale(row: Criterion) -> CriterionScale:
    scale = SCALES[row.scale]
    ends = float(scale.lowest), float(scale.highest)
    return CriterionScale(row.name, row.scale, scale.measurement, row.aspect, *ends, poles=scale.poles)


def _by_values(name: str, given: JudgementTable) -> CriterionScale:
    """A criterion without a scale: places in an order, or what best-worst scaling counts."""
    values = given.value[given.criterion == given.criteria.index(name)]
    return CriterionScale(name, "", "ordinal", "overall", float(values.min()), float(values.max()), better=name != RANK)


def judged_outputs(texts: StudyTexts, given: JudgementTable) -> JudgedOutputs:
    """Which system gave which of the judged texts, by system and unit.

    A judgement that was given to a system is of its output alone, though another system wrote the same text.
    """
    places = {judged: place for place, judged in enumerate(given.texts)}
    keys = [system.pk for system in texts.systems] + [None] * (len(texts.rows) - len(texts.systems))
    triples = [
        (places[(*point, of)], system, unit)
        for system, key in enumerate(keys)
        for point, unit in texts.points(system).items()
        for of in dict.fromkeys((None, key))
        if (*point, of) in places
    ]
    return JudgedOutputs(*np.array(triples, dtype=np.intp).reshape(-1, 3).T)


def judgements_of_criterion(
    kind: CriterionScale, given: JudgementTable, shown: JudgedOutputs, home: Places
) -> CriterionJudgements:
    """The judgements of one criterion, those of a text once for each system that gave it, by system and unit.

    A rater has placed a system once a source: of its texts for a source that stands twice, the first counts.
    """
    rows = np.flatnonzero(given.criterion == given.criteria.index(kind.name))
    rows = rows[np.argsort(given.text[rows], kind="stable")]
    starts = np.searchsorted(given.text[rows], shown.text, "left")
    counts = np.searchsorted(given.text[rows], shown.text, "right") - starts
    pair = np.repeat(np.arange(len(shown.text)), counts)
    row = rows[np.arange(len(pair)) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(starts, counts)]
    judged = CriterionJudgements(
        name=kind.name,
        label=label_of_key(kind.name),
        scale=kind.scale,
        level=kind.level,  # type: ignore[arg-type]
        aspect=kind.aspect,
        lowest=kind.lowest,
        highest=kind.highest,
        better=kind.better,
        unit=shown.unit[pair],
        system=shown.system[pair],
        rater=given.rater[row],
        value=given.value[row],
        text=given.text[row],
        poles=kind.poles,
    )
    return _placed_once(judged, home) if kind.name == RANK else judged


def select_judgements(judged: CriterionJudgements, chosen: NDArray[np.bool_] | Places) -> CriterionJudgements:
    """Those judgements alone."""
    columns = {name: getattr(judged, name)[chosen] for name in ("unit", "system", "rater", "value", "text")}
    return replace(judged, **columns)


def _placed_once(judged: CriterionJudgements, home: Places) -> CriterionJudgements:
    keys = np.column_stack((home[judged.unit], judged.rater, judged.system))
    return select_judgements(judged, np.sort(np.unique(keys, axis=0, return_index=True)[1])) if len(keys) else judged


def judgements_by_criterion(
    kinds: Sequence[CriterionScale], given: JudgementTable, shown: Callable[[str], JudgedOutputs], home: Places
) -> Mapping[str, CriterionJudgements]:
    """By name; `shown` says of a criterion which texts are whose."""
    return {kind.name: judgements_of_criterion(kind, given, shown(kind.name), home) for kind in kinds}
