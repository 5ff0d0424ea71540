"""Tables with a row a system: columns put together, the best marked, and notes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from evaluation.aggregation import NONE, TEST, correction_note
from evaluation.comparability.system_ranking import SystemRanking
from evaluation.significance import draws_for, is_reachable
from evaluation.snapshot import StudySnapshot, SystemRow
from evaluation.statistics import STATISTICS
from evaluation.table_parts.cells import Cell, joined, mark_best
from evaluation.table_parts.contents import Table
from evaluation.table_parts.system_columns import Column

NO_STAR = "No system can have a star: {draws:,} draws tell no p of {tests} comparisons below {alpha:g}."


def table_of(
    snapshot: StudySnapshot, title: str, places: Sequence[int], columns: Sequence[Column], notes: Iterable[str] = ()
) -> Table:
    """A row a system; of each column the best of those that compete marked."""
    shown = []
    for column in columns:
        marked = marked_in(snapshot, column)
        shown.append([marked[place] for place in places])
    names = [name_cell(snapshot.systems[place]) for place in places]
    rows = [list(row) for row in zip(names, *shown, strict=True)]
    heads, better = [column.head for column in columns], [column.better for column in columns]
    over = ranking_notes([(column.head, column.ranking) for column in columns])
    return Table(title, ["System", *heads], rows, [*notes, *over], [None, *better])


def name_cell(row: SystemRow) -> Cell:
    """The head of a row of a table of systems: its name, and what it is."""
    return Cell(row.name, small=what_it_is(row))


def what_it_is(row: SystemRow) -> str:
    """What a row of a table of systems is, where its name alone may not say it."""
    if row.role != "system":
        return f"the {row.role}, judged beside the systems"
    seed = "" if row.seed is None or row.family == row.name else f"{row.family}, seed {row.seed}"
    return joined("written by people" if row.is_human else "", seed)


def marked_in(snapshot: StudySnapshot, column: Column) -> list[Cell]:
    """The cells of a column by place, the best of those that are ranked marked."""
    if column.ranking is not None:
        return best_of(column.cells, column.ranking)
    competing = [place for place, row in enumerate(snapshot.systems) if row.role == "system"]
    best = dict(
        zip(competing, mark_best([column.cells[competitor] for competitor in competing], column.better), strict=True)
    )
    return [best.get(place, cell) for place, cell in enumerate(column.cells)]


def best_of(cells: Sequence[Cell], ranking: SystemRanking) -> list[Cell]:
    """The cells by place with those marked that are ranked first; none where one alone is ranked."""
    first = {place for place, rank in ranking.places.items() if rank == 1} if len(ranking.values) > 1 else set()
    return [replace(cell, best=True) if place in first else cell for place, cell in enumerate(cells)]


def ranking_notes(columns: Sequence[tuple[str, SystemRanking | None]]) -> list[str]:
    """Over what systems are ranked, where it is not all that each has: a sentence for the columns that share it."""
    heads_of: dict[str, list[str]] = {}
    for head, ranking in columns:
        if ranking is not None and ranking.note:
            heads_of.setdefault(ranking.note, []).append(head)
    return [f"{', '.join(heads)}: {note}" for note, heads in heads_of.items()]


def stack_tables(title: str, tables: Sequence[tuple[str, Table]], head: str = "Texts") -> Table:
    """Tables of the same columns under one another, a column saying which; one alone stands as it is."""
    first = tables[0][1]
    if len(tables) == 1:
        return replace(first, title=title)
    rows = [[row[0], Cell(name), *row[1:]] for name, table in tables for row in table.rows]
    ends = [{name: table.better[column] for name, table in tables} for column in range(len(first.head))]
    notes = [note for _, table in tables for note in table.notes] + _ends_note(first.head, ends)
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


def star_note(snapshot: StudySnapshot) -> list[str]:
    """What a star means, where there is a baseline."""
    if snapshot.baseline is None:
        return []
    name, label = snapshot.systems[snapshot.baseline].name, STATISTICS[TEST].label.lower()
    tests = 1 if snapshot.correction == NONE else sum(row.role == "system" for row in snapshot.systems) - 1
    draws = draws_for(tests, snapshot.alpha, snapshot.draws)
    if not is_reachable(tests, snapshot.alpha, draws):
        return [NO_STAR.format(draws=draws, tests=tests, alpha=snapshot.alpha)]
    return [f"* differs from {name} with p < {snapshot.alpha:g}{correction_note(snapshot)}, by {label}."]
