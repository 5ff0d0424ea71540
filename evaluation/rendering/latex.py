"""The report's tables in LaTeX (`\\usepackage{booktabs}`), the best in bold."""

from typing import Any

from evaluation.rendering._base import Renderer, tables_of
from evaluation.tables import Cell, Table

SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


def render(report: dict[str, Any]) -> str:
    return "\n".join(_table(table) for table in tables_of(report))


def _table(table: Table) -> str:
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_safe(table.title)}}}",
        rf"\begin{{tabular}}{{l{'r' * (len(table.head) - 1)}}}",
        r"\toprule",
        _line(map(_safe, table.head)),
        r"\midrule",
        *[_line(map(_cell, row)) for row in table.rows],
        r"\bottomrule",
        r"\end{tabular}",
        *[f"% {' '.join(note.split())}" for note in table.notes],
        r"\end{table}",
        "",
    ]
    return "\n".join(lines)


def _line(cells: Any) -> str:
    return f"{' & '.join(cells)} \\\\"


def _cell(cell: Cell) -> str:
    text = rf"\textbf{{{_safe(cell.text)}}}" if cell.best else _safe(cell.text)
    return rf"{text} {{\scriptsize ({_safe(cell.small)})}}" if cell.small else text


def _safe(text: str) -> str:
    escaped = "".join(SPECIAL.get(mark, mark) for mark in text)
    return " ".join(escaped.replace("–", "--").split())


RENDERER = Renderer("LaTeX", "application/x-latex; charset=utf-8", "tex", render)
