"""Markdown: the best in bold, figures as the table of what they draw."""

from evaluation.rendering._base import Renderer, Whole
from evaluation.tables import Cell, Figure, Table


def whole(given: Whole) -> str:
    parts = [
        table(made, title) if isinstance(made, Table) else figure(made, title)
        for title, made in given.made()
        if isinstance(made, Table | Figure)
    ]
    return "\n".join(parts)


def table(made: Table, title: str) -> str:
    rules = ["---"] + ["---:"] * (len(made.head) - 1)
    lines = [f"## {_safe(title)}", "", _line(map(_safe, made.head)), _line(rules)]
    lines += [_line(map(_cell, row)) for row in made.rows]
    lines += ["", *[f"- {_safe(note)}" for note in made.notes], ""]
    return "\n".join(lines)


def figure(made: Figure, title: str) -> str:
    head = list(made.rows[0]) if made.rows else []
    rows = [[Cell(_said(row.get(name))) for name in head] for row in made.rows]
    return table(Table(made.title, head, rows, [made.describes, *made.notes]), title)


def _said(value: object) -> str:
    if value is None:
        return ""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _line(cells: object) -> str:
    return f"| {' | '.join(cells)} |"  # type: ignore[arg-type]


def _cell(cell: Cell) -> str:
    text = f"**{_safe(cell.text)}**" if cell.best else _safe(cell.text)
    text += cell.stars.replace("*", r"\*")
    return f"{text} ({_safe(cell.small)})" if cell.small else text


def _safe(text: str) -> str:
    for mark in ("\\", "|", "*", "_", "<"):
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split())


RENDERER = Renderer("Markdown", "text/markdown; charset=utf-8", "md", table, None, whole)
