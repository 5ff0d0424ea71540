"""Systems by the place that people gave them among one another (Rao and Tetreault 2018, Table 5, equation 1)."""

from dataclasses import replace

from evaluation.tables._base import Exhibit, Lacking, Table
from evaluation.tables._parts import (
    Column,
    Part,
    directions,
    domains,
    human,
    lacking,
    places_of,
    ranks_of,
    star_note,
    table_of,
)
from evaluation.tables._record import Judged, Record
from foundation.papers import GYAFC

TITLE = "Overall ranking"
NOTE = (
    "The mean over sources of the mean over judges of a system's place; equal outputs share the best one. "
    "1 is the best."
)


def make(record: Record) -> Table | Lacking:
    """The systems from the best, with a column for each domain of each direction."""
    ranks = ranks_of(record)
    if ranks is None:
        return lacking(TITLE, "Nobody has ranked the systems' outputs among one another.")
    columns = [column for part in directions(record) for column in _columns(record, ranks, part)]
    places = [place for place in places_of(record, "source", "reference", "system") if _ranked(columns, place)]
    places.sort(key=lambda place: _first(columns, place))
    return table_of(record, TITLE, places, columns, [NOTE, *star_note(record)])


def _columns(record: Record, ranks: Judged, part: Part) -> list[Column]:
    """The whole direction where it has not one domain alone, then its domains."""
    parts = domains(record, part)
    whole = [] if len(parts) == 1 else [replace(part, label="All domains" if parts else "Mean rank")]
    prefix = "" if part.where is None else f"{part.label}, "
    return [human(record, ranks, one, f"{prefix}{one.label}") for one in [*whole, *parts]]


def _ranked(columns: list[Column], place: int) -> bool:
    return any(column.cells[place].value is not None for column in columns)


def _first(columns: list[Column], place: int) -> float:
    """The rank in the first column that has one."""
    return next(value for column in columns if (value := column.cells[place].value) is not None)


TABLE = Exhibit(title=TITLE, make=make, paper=GYAFC, number="Table 5", order=105)
