"""Tables in LaTeX (`\\usepackage{booktabs}`), the best in bold."""

from collections.abc import Iterator
from typing import Any

from evaluation.rendering._base import Renderer, Whole, data_of, of_numbers
from evaluation.tables import Cell, Figure, Table

SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip
LONG = 40  # characters: a text of more is broken into lines


def whole(given: Whole) -> str:
    return "\n".join(table(made, title) for title, made in given.made() if isinstance(made, Table))


def table(made: Table, title: str) -> str:
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_safe(title)}}}",
        rf"\begin{{tabular}}{{{''.join(_columns(made))}}}",
        r"\toprule",
        _line(map(_safe, made.head)),
        r"\midrule",
        *[_line(map(_cell, row)) for row in made.rows],
        r"\bottomrule",
        r"\end{tabular}",
        *[f"% {' '.join(note.split())}" for note in made.notes],
        r"\end{table}",
        "",
    ]
    return "\n".join(lines)


def figure(made: Figure, title: str) -> str:
    """What it draws, as a table; the picture itself is to be had as PNG or SVG."""
    return table(data_of(made), title)


def _columns(made: Table) -> Iterator[str]:
    """Numbers to the right, words to the left, and long texts in lines of a width."""
    for at, numbers in enumerate(of_numbers(made)):
        long = not numbers and any(len(row[at].text) > LONG for row in made.rows)
        yield rf"p{{{1 / len(made.head):.2f}\linewidth}}" if long else "r" if numbers else "l"


def _line(cells: Any) -> str:
    return f"{' & '.join(cells)} \\\\"


def _cell(cell: Cell) -> str:
    text = rf"\textbf{{{_safe(cell.text)}}}" if cell.best else _safe(cell.text)
    text += rf"\textsuperscript{{{cell.stars}}}" if cell.stars else ""
    return rf"{text} {{\scriptsize ({_safe(cell.small)})}}" if cell.small else text


def _safe(text: str) -> str:
    escaped = "".join(SPECIAL.get(mark, mark) for mark in text)
    return " ".join(escaped.replace("–", "--").split())


RENDERER = Renderer("LaTeX", "application/x-latex; charset=utf-8", "tex", table, figure, whole)
