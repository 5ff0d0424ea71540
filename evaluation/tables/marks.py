"""Marked spans: where each kind of them lies in the outputs, and how far people follow marks that they are shown."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from evaluation.metric_contract import Floats
from evaluation.snapshot import MarkedOutput, StudySnapshot
from evaluation.span_agreement import Overlap, Unit, overlap
from evaluation.table_parts.contents import Cell, MissingContent, Table, interval_text, missing_content, number
from evaluation.tables._base import TableOrFigure
from foundation.papers import BLAIN, ZOUHAR
from foundation.seeds import generator
from foundation.translation import translatable

PLACES_TITLE = "Where marks lie"
NO_MARKS = translatable("Nobody has marked spans: open a campaign of the kind “Mark spans”, or import marks.")
PARTS = 5
SHADES = 5
PLACES_HEAD = [
    "System", "Marked as", "First fifth", "Second fifth", "Third fifth", "Fourth fifth", "Last fifth", "On the source",
    "Without a place", "All",
]  # fmt: skip
PLACES_NOTES = (
    "Marks in 100 marked texts of the system; a text that two people marked is two.",
    "A mark belongs to the fifth of the text, counted in characters, in which its middle lies.",
    "The darker a cell, the more marks. Marks with a kind stand under its group, others under their severity.",
)


def make_places(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row for each system and group of kinds, in the order of systems; the most frequent group first."""
    if not snapshot.marked:
        return missing_content(PLACES_TITLE, NO_MARKS)
    texts: dict[str, int] = defaultdict(int)
    counts: dict[tuple[str, str], Floats] = defaultdict(lambda: np.zeros(PARTS + 2))
    for one in snapshot.marked:
        for system in one.systems:
            texts[system] += 1
            for mark in one.marks:
                counts[system, _group(mark)][_part(mark, one)] += 1
    most = max((count.max() * 100 / texts[system] for (system, _), count in counts.items()), default=0)
    places = {row.name: place for place, row in enumerate(snapshot.systems)}
    total = {key: count.sum() for key, count in counts.items()}
    ordered = sorted(counts, key=lambda key: (places.get(key[0], len(places)), key[0], -total[key], key[1]))
    rows = [
        [Cell(system), Cell(group), *(_shaded(count * 100 / texts[system], most) for count in counts[system, group]),
         number(total[system, group] * 100 / texts[system], 1, small=f"n = {total[system, group]:.0f}")]
        for system, group in ordered
    ]  # fmt: skip
    if not rows:
        return missing_content(PLACES_TITLE, "No text that somebody looked at has a mark.")
    return Table(PLACES_TITLE, PLACES_HEAD, rows, PLACES_NOTES, [None] * len(PLACES_HEAD))


def _group(mark: Mapping[str, Any]) -> str:
    return str(mark["kind"]).partition("/")[0] or str(mark["severity"]) or "Marked"


def _part(mark: Mapping[str, Any], one: MarkedOutput) -> int:
    if mark["end"] <= mark["start"]:
        return PARTS + 1
    if mark["side"] == "source":
        return PARTS
    return min(int((mark["start"] + mark["end"]) / 2 / max(1, len(one.output)) * PARTS), PARTS - 1)


def _shaded(rate: float, most: float) -> Cell:
    return replace(number(rate, 1), shade=int(np.ceil(rate / most * SHADES)) if most else 0)


# Marks that were shown before people marked: what became of them, against items whose marks were kept back.

PREFILL_TITLE = "Suggested marks"
NO_PREFILL = translatable("No campaign suggests marks: set “prefill” of a campaign that marks spans.")
NO_CONTROL = translatable(
    "All items showed their suggested marks, so nothing says what people mark without: set “empty_share”."
)
PREFILL_HEAD = ["", "Shown", "Kept back", "Difference"]
PREFILL_NOTES = (
    "A drawn share of the items with suggested marks showed none. People's marks there say how many of the suggested "
    "marks they would have made anyway; the difference is how far they follow the suggestions.",
    "A suggested mark is changed if a mark of the answer overlaps it but has other ends, another kind or severity.",
    "Means over answers, with intervals of 95% by the bootstrap over sources.",
)


class _Fate(NamedTuple):
    """How many suggested marks an answer kept, changed and left out, and how many it added."""

    kept: int
    changed: int
    left: int
    added: int


KEYS = ("side", "start", "end", "kind", "severity")


def fate_of(suggested: Sequence[Mapping[str, Any]], marks: Sequence[Mapping[str, Any]]) -> _Fate:
    """Equal marks are matched first, then each suggested one with the first other mark that overlaps it."""
    left = [tuple(mark[key] for key in KEYS) for mark in marks]
    others = []
    for mark in suggested:
        key = tuple(mark[name] for name in KEYS)
        if key in left:
            left.remove(key)
        else:
            others.append(key)
    kept, changed = len(suggested) - len(others), 0
    for side, start, end, *_ in others:
        found = next((one for one in left if one[0] == side and one[1] < end and start < one[2]), None)
        if found is not None:
            left.remove(found)
            changed += 1
    return _Fate(kept, changed, len(others) - changed, len(left))


Share = Callable[[MarkedOutput, _Fate], tuple[float, float] | None]


def _of_suggested(name: str) -> Share:
    return lambda one, fate: (getattr(fate, name), len(one.suggested or ()))


def _mean(name: str) -> Share:
    return lambda one, fate: None if (value := getattr(one, name)) is None else (value, 1)


MEASURES: Sequence[tuple[str, int, Share]] = (
    ("Suggested marks in the answer as they were", 2, _of_suggested("kept")),
    ("Suggested marks in the answer, changed", 2, _of_suggested("changed")),
    ("Suggested marks not in the answer", 2, _of_suggested("left")),
    ("Further marks in a text", 2, lambda one, fate: (fate.added, 1)),
    ("Marks in a text", 2, lambda one, fate: (len(one.marks), 1)),
    ("Score", 2, _mean("score")),
    ("Score of the marks", 2, _mean("cost")),
    ("Seconds a text", 1, _mean("seconds")),
)


def make_prefill(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a measure: of items that showed their suggested marks, of those that did not, and the difference."""
    given = [one for one in snapshot.marked if one.suggested is not None]
    if not given:
        return missing_content(PREFILL_TITLE, NO_PREFILL)
    sides = [[one for one in given if one.shown is shown] for shown in (True, False)]
    notes = PREFILL_NOTES if all(sides) else (*PREFILL_NOTES, NO_CONTROL)
    rows = [[Cell(label), *_compared(snapshot, sides, digits, share)] for label, digits, share in MEASURES]
    counted = [number(len(side), 0) for side in sides]
    return Table(PREFILL_TITLE, PREFILL_HEAD, [[Cell("Answers"), *counted, number(None)], *rows], notes, [None] * 4)


def _compared(snapshot: StudySnapshot, sides: Sequence[list[MarkedOutput]], digits: int, share: Share) -> list[Cell]:
    drawn = [_bootstrapped(side, share, snapshot, place) for place, side in enumerate(sides)]
    cells = [_interval(mean, draws, digits) for mean, draws in drawn]
    (first, ones), (second, others) = drawn
    if first is None or second is None:
        return [*cells, number(None)]
    return [*cells, _interval(first - second, ones - others, digits)]


def _interval(mean: float | None, draws: Floats, digits: int) -> Cell:
    if mean is None:
        return number(None)
    low, high = np.nanpercentile(draws, (2.5, 97.5)).tolist()
    return number(mean, digits, small=interval_text(low, high, digits), parts={"low": low, "high": high})


def _bootstrapped(
    side: Iterable[MarkedOutput], share: Share, snapshot: StudySnapshot, place: int
) -> tuple[float | None, Floats]:
    """The ratio of sums, and its draws (draws,) with whole sources drawn; None where nothing is counted."""
    sums: dict[int, Floats] = defaultdict(lambda: np.zeros(2))
    for one in side:
        if (counted := share(one, fate_of(one.suggested or (), one.marks))) is not None:
            sums[one.sentence] += counted
    table = np.array(list(sums.values())).reshape(-1, 2)
    if not table[:, 1].sum():
        return None, np.empty(0)
    random = generator(snapshot.seed, "suggested marks", place)
    weights = random.multinomial(len(table), np.full(len(table), 1 / len(table)), size=snapshot.draws)
    drawn = weights @ table
    with np.errstate(invalid="ignore"):
        draws = np.where(drawn[:, 1] > 0, drawn[:, 0] / drawn[:, 1], np.nan)
    return float(table[:, 0].sum() / table[:, 1].sum()), draws


# Span metrics: language models that mark, and programs whose marks were imported, held to people's marks of the same
# texts.

METRICS_TITLE = "Span metrics"
NO_METRIC = translatable(
    "No program's marks are here: let a language model mark, or import marks and leave their criteria out."
)
UNSHARED = "Nobody marked a text that it marked."
METRICS_HEAD = ["Marks of", "Texts", "Precision", "Recall", "F1"]
METRICS_NOTES = (
    "Marked characters of outputs against people's, over all texts together; a character that both marked as "
    "differently severe counts half, as in WMT's shared tasks. Each person who marked the text counts as one text.",
    "A rater whose marks have no judgements beside them is a program, and so is a language model that marks.",
    "A program can agree with a person as far as one person does with another: each of two is held to the other.",
)


def make_metrics(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row each program, the best F1 first; then people against each other."""
    people = set(snapshot.raters.names)
    by_text: dict[tuple[int, str], list[MarkedOutput]] = defaultdict(list)
    given = [*snapshot.marked, *snapshot.marked_by_machines]
    for one in given:
        by_text[one.sentence, one.output].append(one)
    programs = dict.fromkeys(one.rater for one in given if one.rater not in people)
    if not programs:
        return missing_content(METRICS_TITLE, NO_METRIC)
    pairs: dict[str, list[tuple[list[Unit], list[Unit]]]] = defaultdict(list)
    for marked in by_text.values():
        humans = [one for one in marked if one.rater in people]
        for one in marked:
            others = [other for other in humans if other.rater != one.rater]
            pairs[one.rater if one.rater in programs else ""] += [(_units(one), _units(other)) for other in others]
    found = {name: overlap(texts) for name, texts in pairs.items() if texts}
    order = sorted(programs, key=lambda name: -found[name].f1 if name in found else 1)
    rows = [[Cell(name or "One person against another"), number(len(pairs[name]), 0), *_overlap_cells(found.get(name))]
            for name in (*order, *([""] if "" in found else []))]  # fmt: skip
    return Table(METRICS_TITLE, METRICS_HEAD, rows, METRICS_NOTES, [None] * len(METRICS_HEAD))


def _overlap_cells(found: Overlap | None) -> list[Cell]:
    values = (found.precision, found.recall, found.f1) if found else (None, None, None)
    return [number(value, 3, UNSHARED) for value in values]


def _units(one: MarkedOutput) -> list[Unit]:
    output = [mark for mark in one.marks if mark["side"] == "output"]
    return [Unit(mark["start"], mark["end"], mark["severity"]) for mark in output]


ENTRIES = {
    "marks_places": TableOrFigure(title=PLACES_TITLE, make=make_places, kind="study", order=11),
    "span_metrics": TableOrFigure(title=METRICS_TITLE, make=make_metrics, kind="trust", order=8, paper=BLAIN),
    "marks_suggested": TableOrFigure(
        title=PREFILL_TITLE, make=make_prefill, kind="study", order=12, paper=ZOUHAR
    ),
}  # fmt: skip
