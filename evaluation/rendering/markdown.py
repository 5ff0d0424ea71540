"""The report's tables in Markdown, the best in bold."""

from typing import Any

from evaluation.rendering._base import Renderer, tables_of
from evaluation.tables import Cell, Table


def render(report: dict[str, Any]) -> str:
    return "\n".join(_table(table) for table in tables_of(report))


def _table(table: Table) -> str:
    lines = [f"## {table.title}", "", _line(map(_safe, table.head)), _line(["---"] + ["---:"] * (len(table.head) - 1))]
    lines += [_line(map(_cell, row)) for row in table.rows]
    lines += ["", *[f"- {_safe(note)}" for note in table.notes], ""]
    return "\n".join(lines)


def _line(cells: Any) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell) -> str:
    text = f"**{_safe(cell.text)}**" if cell.best else _safe(cell.text)
    return f"{text} ({_safe(cell.small)})" if cell.small else text


def _safe(text: str) -> str:
    for mark in ("\\", "|", "*", "_", "<"):
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split())


RENDERER = Renderer("Markdown", "text/markdown; charset=utf-8", "md", render)
