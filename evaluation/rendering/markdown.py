"""Markdown: the best in bold, figures as tables of their data."""

import re
from collections.abc import Iterable, Iterator

from evaluation.rendering._base import Json, Renderer
from evaluation.table_parts.contents import Cell, Entry, Figure, Table

NAMED = 3  # cells without a number that a reason names


def whole(report: Json, entries: Iterable[Entry]) -> str:
    tables = ((entry.full_title, entry.figure.data if entry.figure else entry.table) for entry in entries)
    return "\n".join(table(content, title) for title, content in tables if content)


def table(content: Table, title: str) -> str:
    rules = ["---:" if column.numbers else "---" for column in content.columns]
    lines = [f"## {_safe(title)}", "", _line(map(_safe, content.head)), _line(rules)]
    lines += [_line(map(_cell, row)) for row in content.rows]
    lines += ["", *[f"- {_safe(note)}" for note in [*content.notes, *_undefined(content)]], ""]
    return "\n".join(lines)


def _undefined(content: Table) -> Iterator[str]:
    """Each reason why cells have no number, behind the first of them; a page has it at the cell."""
    places: dict[str, list[str]] = {}
    for row in content.rows:
        for head, cell in zip(content.head, row, strict=True):
            if cell.value is None and cell.why and not any(cell.why in note for note in content.notes):
                places.setdefault(cell.why, []).append(f"{row[0].text}, {head}")
    for why, cells in places.items():
        more = f" and {len(cells) - NAMED} more" if len(cells) > NAMED else ""
        yield f"{'; '.join(cells[:NAMED])}{more}: {why}"


def figure(content: Figure, title: str) -> str:
    """The data of a figure, as a table."""
    return table(content.data, title)


def _line(cells: object) -> str:
    return f"| {' | '.join(cells)} |"  # type: ignore[arg-type]


def _cell(cell: Cell) -> str:
    text = f"**{_safe(cell.text)}**" if cell.best else _marked(cell)
    text += cell.stars.replace("*", r"\*")
    return f"{text} ({_safe(cell.small)})" if cell.small else text


def _marked(cell: Cell) -> str:
    """Marked words in bold; marked white space alone stays plain."""
    if not cell.marks:
        return _safe(cell.text)
    return "".join(f"**{_kept(text)}**" if marked else _kept(text) for text, marked in cell.pieces).strip()


def _safe(text: str) -> str:
    return " ".join(_kept(text).split())


def _kept(text: str) -> str:
    """Escaped, in one line."""
    for mark in ("\\", "|", "*", "_", "<"):
        text = text.replace(mark, f"\\{mark}")
    return re.sub(r"\s+", " ", text)


RENDERER = Renderer("Markdown", "text/markdown; charset=utf-8", "md", table, figure, whole)
