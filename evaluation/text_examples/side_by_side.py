"""Sentences with what every system made of them, side by side."""

from collections.abc import Sequence

from evaluation.snapshot.study import StudySnapshot
from evaluation.table_parts.aspects import places_of
from evaluation.table_parts.cells import DASH, Cell
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.subsets import direction_name
from foundation.seeds import generator

EACH = 2  # examples of a direction and domain, four at least where there is one of each
MOST = 6
NOTE = "Drawn at random, the same with every report, from the sentences of which most systems have an output."


def examples(snapshot: StudySnapshot, title: str, *, reference_last: bool = False) -> Table | MissingContent:
    """A column an example; the source first, a reference second or last, and each system."""
    places = places_of(snapshot, "system")
    if not places:
        return missing_content(title, "The study has no systems: add one on the page Systems.")
    chosen = chosen_of(snapshot, places)
    if not chosen:
        return missing_content(
            title, "No system has an output: bring some in on the page Bring in a table, or run a model."
        )
    units = snapshot.units
    source = [Cell("Source"), *(Cell(units.sources[unit]) for unit in chosen)]
    reference = [Cell("Reference"), *(_text(next(iter(units.references[unit]), None)) for unit in chosen)]
    outputs = [
        [Cell(snapshot.systems[place].name), *(_text(snapshot.systems[place].outputs[unit]) for unit in chosen)]
        for place in places
    ]
    rows = [source, *outputs, reference] if reference_last else [source, reference, *outputs]
    head = ["From", *(_named(snapshot, number, unit) for number, unit in enumerate(chosen, start=1))]
    return Table(title, head, rows, [NOTE], [None] * len(head))


def chosen_of(snapshot: StudySnapshot, places: Sequence[int]) -> list[int]:
    """Some units of each direction and domain in turn; of those the ones with the most outputs, drawn by the seed."""
    counts = [
        sum(bool(snapshot.systems[place].outputs[unit]) for place in places) for unit in range(len(snapshot.units.ids))
    ]
    fullest = max(counts, default=0)
    kinds: dict[tuple[int, str], list[int]] = {}
    for unit, count in enumerate(counts):
        if count == fullest and fullest and snapshot.units.home[unit] == unit:
            kinds.setdefault((int(snapshot.units.direction[unit]), snapshot.units.domains[unit]), []).append(unit)
    each = max(EACH, 4 // max(len(kinds), 1))
    drawn = [_some(snapshot, kind, ones, each) for kind, ones in kinds.items()]
    return [of[turn] for turn in range(each) for of in drawn if turn < len(of)][:MOST]


def _some(snapshot: StudySnapshot, kind: tuple[int, str], units: Sequence[int], each: int) -> list[int]:
    order = generator(snapshot.seed, "examples", *kind).permutation(len(units))
    return sorted(units[number] for number in order[:each].tolist())


def _text(text: str | None) -> Cell:
    return Cell(text) if text else Cell(DASH, why="There is none.")


def _named(snapshot: StudySnapshot, number: int, unit: int) -> str:
    """'Sentence 1, informal to formal, Music'."""
    several = (
        direction_name(snapshot, int(snapshot.units.direction[unit])) if len(snapshot.units.directions) > 1 else ""
    )
    parts = [f"Sentence {number}" if snapshot.unit == "sentence" else f"Text {number}", several]
    return ", ".join(part for part in [*parts, snapshot.units.domains[unit]] if part)
