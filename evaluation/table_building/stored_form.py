"""The JSON of an entry: its place among the tables, its paper, and what it made."""

from dataclasses import asdict

from evaluation.table_parts.contents import Content
from evaluation.table_parts.serialization import CONTENT_TYPES, Json, content_json
from evaluation.tables._base import TableOrFigure


def entry_json(name: str, entry: TableOrFigure, content: Content) -> Json:
    """What a page needs to list and to draw an entry: its place, its paper, and what it made."""
    paper = entry.paper
    return {
        "name": name,
        "title": entry.title,
        "kind": entry.kind,
        "order": entry.order,
        "number": entry.number,
        "paper": None if paper is None else asdict(paper),
        "is": next(word for word, kind in CONTENT_TYPES.items() if isinstance(content, kind)),
        "made": content_json(content),
    }
