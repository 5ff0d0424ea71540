"""Tables and figures as JSON, as a report keeps them, and back."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from evaluation.tables._base import Cell, Exhibit, Figure, Lacking, Made, Table

Json = dict[str, Any]
_KINDS: Mapping[str, type[Table] | type[Figure] | type[Lacking]] = {
    "table": Table, "figure": Figure, "lacking": Lacking,
}  # fmt: skip
_DEFAULTS = asdict(Cell(""))


def exhibit_json(name: str, exhibit: Exhibit, made: Made) -> Json:
    """What a page needs to list and to draw an entry: its place, its paper, and what it made."""
    paper = exhibit.paper
    return {
        "name": name,
        "title": exhibit.title,
        "kind": exhibit.kind,
        "order": exhibit.order,
        "number": exhibit.number,
        "paper": None if paper is None else asdict(paper),
        "is": next(word for word, kind in _KINDS.items() if isinstance(made, kind)),
        "made": made_json(made),
    }


def made_json(made: Made) -> Json:
    """Its fields; of a cell only those that are not as usual."""
    found = {field.name: getattr(made, field.name) for field in fields(made)}
    if isinstance(made, Table):
        found["rows"] = [[_cell_json(cell) for cell in row] for row in made.rows]
    return found


def made_of(stored: Mapping[str, Any]) -> Made:
    """The table, the figure or the reasons that `exhibit_json` wrote."""
    kind, given = _KINDS[stored["is"]], dict(stored["made"])
    if kind is Table:
        given["rows"] = [[Cell(**cell) for cell in row] for row in given["rows"]]
    return kind(**given)


def _cell_json(cell: Cell) -> Json:
    given = {field.name: getattr(cell, field.name) for field in fields(cell)}
    return {name: value for name, value in given.items() if name == "text" or value != _DEFAULTS[name]}
