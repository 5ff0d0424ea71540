"""Columns about systems, over a whole study or a part of its units, and tables put together from them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evaluation.comparing.measures import better_in, measured
from evaluation.comparing.ranking import Ranking, by_combined, by_criterion, by_metric
from evaluation.statistics import STATISTICS
from evaluation.statistics._base import Mean
from evaluation.statistics._summed import Summed
from evaluation.tables._base import DASH, RANK, Cell, Table, interval_text, joined, mark_best, number, traced
from evaluation.tables._combined import by_metrics, by_people
from evaluation.tables._parts import Part, metric_label, places_of
from evaluation.tables._record import Judged, Measured, Record
from evaluation.tables._stars import corrected, corrected_note, star
from evaluation.tables._sums import Mask, method, numbers, rated, scored

TEST = "approximate_randomization"
NO_NUMBER = "There is no number of it."
WHOLE = "Of source and reference a metric's score is kept of all texts together, and of no part of them."


@dataclass(frozen=True)
class Column:
    """A column: its head, which end is the better one, and a cell for each of the record's systems, by place.

    The best is marked by the `ranking`; without one by the cells.
    """

    head: str
    better: bool | None
    cells: Sequence[Cell]
    ranking: Ranking | None = None


def human(record: Record, judged: Judged, part: Part | None = None, head: str = "") -> Column:
    """The human means of a criterion, with interval, n and stars against the baseline."""
    here = part or Part("")
    asks = {**asks_of(judged), "variant": record.variant, **here.asks}
    if here.where is None:
        found, ranking = _reported(record, "criteria", judged.name)
    else:
        ranking = by_criterion(record, judged, here.where, here.direction)
        found = _means(record, judged, here.where, ranking)
    better = better_in(record, judged, here.direction)
    return Column(head or judged.label, better, _cells(record, found, asks, ranking), ranking)


def metric(record: Record, name: str, part: Part | None = None, head: str = "") -> Column:
    """The corpus scores of a metric, with interval and stars against the baseline."""
    here = part or Part("")
    asks = {**asks_of(measured(record, name)), **here.asks}
    if here.where is None:
        found, ranking = _reported(record, "metrics", name)
    else:
        ranking = by_metric(record, name, here.where, here.direction)
        found = _scores(record, name, here.where, ranking)
    better = better_in(record, name, here.direction)
    return Column(head or metric_label(record, name), better, _cells(record, found, asks, ranking), ranking)


def combined(record: Record, of: str, head: str, part: Part | None = None) -> Column | None:
    """GYAFC's Combined, of "human" or "metrics"; None where it lacks one of its three."""
    if not record.report["leaderboard"]["combined"][of]:
        return None
    where = None if part is None else part.where
    if where is None:
        found, ranking = _reported(record, "combined", of)
        return Column(head, True, _cells(record, found, None, ranking), ranking)
    sums, ranking = (by_people if of == "human" else by_metrics)(record, where), by_combined(record, of, where)
    rows = _wholes(sums, [0 if one is None else len(np.unique(one.groups)) for one in sums])
    return Column(head, True, _cells(record, _starred(record, rows, sums, ranking), None, ranking), ranking)


def asks_of(measure: Judged | Measured) -> dict[str, str]:
    """What the page of rows is asked for of a criterion or a metric, by direction or not."""
    kind, name = ("metric", measure.name) if isinstance(measure, Measured) else ("criterion", measure.own_name)
    return {kind: name} | ({} if measure.direction is None else {"direction": str(measure.direction)})


def table_of(
    record: Record, title: str, places: Sequence[int], columns: Sequence[Column], notes: Iterable[str] = ()
) -> Table:
    """A row a system; of each column the best of those that compete marked."""
    shown = []
    for column in columns:
        marked = marked_in(record, column)
        shown.append([marked[place] for place in places])
    names = [Cell(record.systems[place].name) for place in places]
    rows = [list(row) for row in zip(names, *shown, strict=True)]
    heads, better = [column.head for column in columns], [column.better for column in columns]
    over = ranking_notes([(column.head, column.ranking) for column in columns])
    return Table(title, ["System", *heads], rows, [*notes, *over], [None, *better])


def marked_in(record: Record, column: Column) -> list[Cell]:
    """The cells of a column by place, the best of those that are ranked marked."""
    if column.ranking is not None:
        return best_of(column.cells, column.ranking)
    competing = [place for place, row in enumerate(record.systems) if row.role == "system"]
    best = dict(zip(competing, mark_best([column.cells[one] for one in competing], column.better), strict=True))
    return [best.get(place, cell) for place, cell in enumerate(column.cells)]


def best_of(cells: Sequence[Cell], ranking: Ranking) -> list[Cell]:
    """The cells by place with those marked that are ranked first; none where one alone is ranked."""
    first = {place for place, at in ranking.places.items() if at == 1} if len(ranking.values) > 1 else set()
    return [replace(cell, best=True) if place in first else cell for place, cell in enumerate(cells)]


def ranking_notes(columns: Sequence[tuple[str, Ranking | None]]) -> list[str]:
    """Over what systems are ranked, where it is not all that each has: a sentence for the columns that share it."""
    found: dict[str, list[str]] = {}
    for head, ranking in columns:
        if ranking is not None and ranking.note:
            found.setdefault(ranking.note, []).append(head)
    return [f"{', '.join(heads)}: {note}" for note, heads in found.items()]


def blocks(title: str, tables: Sequence[tuple[str, Table]], head: str = "Texts") -> Table:
    """Tables of the same columns under one another, a column saying which; one alone stands as it is."""
    first = tables[0][1]
    if len(tables) == 1:
        return replace(first, title=title)
    rows = [[row[0], Cell(name), *row[1:]] for name, one in tables for row in one.rows]
    ends = [{name: one.better[at] for name, one in tables} for at in range(len(first.head))]
    notes = [note for _, one in tables for note in one.notes] + _ends_note(first.head, ends)
    same = [next(iter(of.values())) if len(set(of.values())) == 1 else None for of in ends]
    return Table(
        title, [first.head[0], head, *first.head[1:]], rows, list(dict.fromkeys(notes)), [same[0], None, *same[1:]]
    )


def _ends_note(heads: Sequence[str], ends: Sequence[Mapping[str, bool | None]]) -> list[str]:
    """Of columns whose better end differs between blocks, which it is in each."""
    words = {True: "high is good", False: "low is good", None: "neither end is the better one"}
    return [
        f"{head}: {'; '.join(f'{name}: {words[better]}' for name, better in of.items())}."
        for head, of in zip(heads, ends, strict=True)
        if len(set(of.values())) > 1
    ]


def star_note(record: Record) -> list[str]:
    """What a star means, where there is a baseline."""
    if record.baseline is None:
        return []
    name, label = record.systems[record.baseline].name, STATISTICS[TEST].label.lower()
    return [f"* differs from {name} with p < {record.alpha:g}{corrected_note(record)}, by {label}."]


def _reported(record: Record, kind: str, name: str) -> tuple[list[dict[str, Any] | None], Ranking]:
    """The board's rows by the systems' places, and its order."""
    board = record.report["leaderboard"][kind][name]
    rows = {row["system"]: row for row in board["rows"]}
    return [rows.get(row.name) for row in record.systems], ranking_of(record, board)


def ranking_of(record: Record, board: Mapping[str, Any]) -> Ranking:
    """The order of a board of the report, by the systems' places."""
    rows = {row["system"]: row for row in board["rows"]}
    by_place = [(place, rows[row.name]) for place, row in enumerate(record.systems) if row.name in rows]
    return Ranking(
        {place: row["ranked"] for place, row in by_place if row["ranked"] is not None},
        {place: row["place"] for place, row in by_place if row["place"] is not None},
        {place: row["unranked"] for place, row in by_place if row["unranked"]},
        board["note"],
    )


def _means(record: Record, judged: Judged, where: Mask, ranking: Ranking) -> list[dict[str, Any] | None]:
    means = means_in(record, judged, where)
    found = [means.get(place) for place in range(len(record.systems))]
    rows = [None if one is None else _row(one.mean, one.low, one.high, one.n, one.undefined) for one in found]
    return _starred(record, rows, rated(record, judged, where), ranking)


def means_in(record: Record, judged: Judged, where: Mask) -> dict[int, Mean]:
    """The mean of each system that was judged in these units, by place."""
    at = where[judged.unit]
    homes, systems, values = record.units.home[judged.unit[at]], judged.system[at], judged.value[at]
    if judged.name == RANK:
        return dict(method("mean_rank").ranks(homes, judged.rater[at], systems, values))
    mean = method("mean_interval").mean
    return {int(one): mean(values[systems == one], homes[systems == one]) for one in np.unique(systems)}


def _scores(record: Record, name: str, where: Mask, ranking: Ranking) -> list[dict[str, Any] | None]:
    sums = scored(record, name, where)
    rows = _wholes(sums, [0 if one is None else len(one.rows) for one in sums])
    return _starred(record, rows, sums, ranking)


def _wholes(sums: Sequence[Summed | None], counts: Sequence[int]) -> list[dict[str, Any] | None]:
    """A row for each system that has a number; `counts` are their n."""
    found = iter(numbers([one for one in sums if one is not None]))
    rows = [(None if one is None else next(found), n) for one, n in zip(sums, counts, strict=True)]
    return [
        None if one is None else _row(one.value, one.low, one.high, n) if np.isfinite(one.value) else _row(None, n=n)
        for one, n in rows
    ]


def _row(value: float | None, low: Any = None, high: Any = None, n: int = 0, undefined: str = "") -> dict[str, Any]:
    return {"value": value, "low": low, "high": high, "n": n, "undefined": undefined, "stars": ""}


def _starred(record: Record, rows: list[Any], sums: Sequence[Any], ranking: Ranking) -> list[Any]:
    """Stars where a ranked system differs from the baseline, p corrected over the column."""
    base = record.baseline
    if base is None or base not in ranking.values:
        return rows
    others = [one for one in places_of(record, "system") if one != base and one in ranking.values]
    tests = method(TEST).compare_many([(sums[one], sums[base]) for one in others], record.draws, record.seed)
    for place, p in zip(others, corrected(record, [test.p for test in tests]), strict=True):
        rows[place]["stars"] = star(record, p)
    return rows


def _cells(
    record: Record, rows: Sequence[dict[str, Any] | None], asks: Mapping[str, str] | None, ranking: Ranking
) -> list[Cell]:
    return [
        Cell(DASH, why=WHOLE if asks and "metric" in asks and of.role != "system" else NO_NUMBER)
        if row is None
        else _cell(row, {} if asks is None else traced(system=of.name, **asks), ranking.outside.get(place, ""))
        for place, (of, row) in enumerate(zip(record.systems, rows, strict=True))
    ]


def _cell(row: Mapping[str, Any], asks: Mapping[str, str], unranked: str) -> Cell:
    interval = "" if unranked else interval_text(row["low"], row["high"], 2)
    small = joined(interval, f"n = {row['n']}" if row["n"] else "", unranked)
    parts = {key: row[key] for key in ("low", "high", "n")}
    if row["value"] is None:
        return number(None, why=row["undefined"] or NO_NUMBER)
    return number(row["value"], 2, row["undefined"], small=small, parts=parts, stars=row["stars"], rows=asks)
