"""Tables and figures as JSON, as a report keeps them, and back."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from evaluation.table_parts.cells import Cell
from evaluation.table_parts.contents import Content, Figure, MissingContent, Table

Json = dict[str, Any]
CONTENT_TYPES: Mapping[str, type[Table] | type[Figure] | type[MissingContent]] = {
    "table": Table, "figure": Figure, "lacking": MissingContent,
}  # fmt: skip
_USUAL = [(field.name, getattr(Cell(""), field.name)) for field in fields(Cell) if field.name != "text"]


def content_json(content: Content) -> Json:
    """Its fields; of a cell only those that are not as usual."""
    serialized = {field.name: getattr(content, field.name) for field in fields(content)}
    if isinstance(content, Table):
        serialized["rows"] = [[_cell_json(cell) for cell in row] for row in content.rows]
    return serialized


def content_of(stored: Mapping[str, Any]) -> Content:
    """The table, the figure or the reasons that `entry_json` wrote."""
    kind, given = CONTENT_TYPES[stored["is"]], dict(stored["made"])
    if kind is Table:
        given["rows"] = [[Cell(**cell) for cell in row] for row in given["rows"]]
    return kind(**given)


def _cell_json(cell: Cell) -> Json:
    given: Json = {"text": cell.text}
    for name, usual in _USUAL:
        if (value := getattr(cell, name)) != usual:
            given[name] = value
    return given
