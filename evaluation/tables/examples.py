"""Every system's outputs of the same few texts: some drawn, and those in which the systems differ most."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.comparability.better_ends import label_of_metric
from evaluation.metric_contract import Floats
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import places_of, points
from evaluation.table_parts.columns import direction_name, name_cell
from evaluation.table_parts.contents import DASH, Cell, MissingContent, Table, missing_content
from evaluation.tables._base import TableOrFigure
from evaluation.text_examples import chosen_of
from foundation.seeds import generator
from foundation.translation import translatable

TITLE = "Examples from every system"
DRAWN, APART, REFERENCES = 3, 3, 3  # how many of each; references of a text at most
NO_SYSTEM = translatable("There is no system: add one, with its outputs.")
NO_OUTPUT = translatable("No system has an output: add outputs to a system.")
NONE = "There is none."
AT_RANDOM = "Texts are drawn at random, the same with every report, from those of which most systems have an output."


@dataclass(frozen=True)
class Numbers:
    """The number of each output, (systems, units), NaN where there is none: by people, or else by a metric."""

    label: str
    values: Floats


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A column a text: the source, its references, and each system's output with the number it got."""
    places = places_of(snapshot, "system")
    drawn = chosen_of(snapshot, places)[:DRAWN] if places else []
    if not drawn:
        return missing_content(TITLE, NO_OUTPUT if places else NO_SYSTEM)
    numbers = numbers_of(snapshot)
    apart = [] if numbers is None else apart_of(snapshot, numbers.values[places], drawn)
    chosen, units = [*drawn, *apart], snapshot.units
    many = min(max(len(units.references[unit]) for unit in chosen), REFERENCES)
    rows = [
        [Cell("Source"), *(Cell(units.sources[unit]) for unit in chosen)],
        *(_references(snapshot, chosen, number, many) for number in range(many)),
        *(
            [name_cell(snapshot.systems[place]), *(_output(snapshot, numbers, place, unit) for unit in chosen)]
            for place in places
        ),
    ]
    head = ["From", *(_head(snapshot, unit, number < len(drawn)) for number, unit in enumerate(chosen))]
    return Table(TITLE, head, rows, [AT_RANDOM, *_notes(numbers, len(apart))], [None] * len(head))


def numbers_of(snapshot: StudySnapshot) -> Numbers | None:
    """The mean judgements on the first criterion that is no rank, else the scores of the first metric that has some."""
    size = (len(snapshot.systems), len(snapshot.units.ids))
    for judged in snapshot.judgements["raw"].values():
        if not judged.is_rank and len(judged.value):
            values = np.full(size, np.nan)
            systems, units, means = points(snapshot, judged)
            values[systems, units] = means
            return Numbers(judged.label, values)
    for name, scores in snapshot.scores.items():
        values = np.array([np.full(size[1], np.nan) if scored is None else scored.sentences for scored in scores])
        if np.isfinite(values).any():
            return Numbers(label_of_metric(name), values)
    return None


def apart_of(snapshot: StudySnapshot, values: Floats, but: Sequence[int]) -> list[int]:
    """The units with the greatest difference between two systems, the greatest first; of equal ones the seed decides.

    Without those of `but`, and without those in which no two systems have different numbers.
    """
    present = np.isfinite(values)
    high = np.where(present, values, -np.inf).max(axis=0)
    low = np.where(present, values, np.inf).min(axis=0)
    spread = np.where(present.sum(axis=0) > 1, high - low, 0.0)
    size = len(snapshot.units.ids)
    spread[(snapshot.units.home != np.arange(size)) | np.isin(np.arange(size), list(but))] = 0.0
    order = generator(snapshot.seed, "apart", size).permutation(size)
    first = order[np.argsort(-spread[order], kind="stable")][:APART]
    return [int(unit) for unit in first if spread[unit] > 0]


def _references(snapshot: StudySnapshot, chosen: Sequence[int], number: int, many: int) -> list[Cell]:
    given = (snapshot.units.references[unit] for unit in chosen)
    name = "Reference" if many == 1 else f"Reference {number + 1}"
    return [
        Cell(name),
        *(
            Cell(given_references[number]) if number < len(given_references) else Cell(DASH, why=NONE)
            for given_references in given
        ),
    ]


def _output(snapshot: StudySnapshot, numbers: Numbers | None, place: int, unit: int) -> Cell:
    text = snapshot.systems[place].outputs[unit]
    if not text:
        return Cell(DASH, why=NONE)
    value = float("nan") if numbers is None else numbers.values[place, unit]
    if numbers is None or not np.isfinite(value):
        return Cell(text)
    return Cell(text, small=f"{numbers.label} {value:.2f}")


def _head(snapshot: StudySnapshot, unit: int, drawn: bool) -> str:
    """'Drawn: sentence 17, informal to formal, Music'."""
    several = (
        direction_name(snapshot, int(snapshot.units.direction[unit])) if len(snapshot.units.directions) > 1 else ""
    )
    name = f"{'Sampled' if drawn else 'Far apart'}: {snapshot.unit} {unit + 1}"
    return ", ".join(part for part in (name, several, snapshot.units.domains[unit]) if part)


def _notes(numbers: Numbers | None, apart: int) -> list[str]:
    if numbers is None:
        return []
    under = f"Under an output stands what it got by itself: {numbers.label}."
    far = "Far apart are those in which the numbers of two systems differ most."
    return [under, *([far] if apart else [])]


TABLE = TableOrFigure(title=TITLE, make=make, kind="study", order=7)
