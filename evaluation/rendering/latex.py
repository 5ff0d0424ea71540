"""Tables in LaTeX for a paper of two columns (`\\usepackage{booktabs}`), the best in bold, intervals beneath."""

import re
from collections.abc import Iterator, Sequence

from evaluation.rendering._base import Renderer, Whole
from evaluation.table_parts.cells import Cell
from evaluation.table_parts.contents import Figure, Table
from evaluation.typesetting.latex_escaping import DEFINES_OTHER, OTHER, breakable, safe
from evaluation.typesetting.table_layout import Column, Part, parts_of, smalls, under

NEEDS = r"% \usepackage{booktabs}"
FLOATS = 8  # of a whole report before a page is filled: LaTeX holds only so many
SLUG = re.compile(r"[^a-z0-9]+")
MINUS = re.compile(r"(?<![^\s(])-(?=\d)")


def whole(given: Whole) -> str:
    tables = [_floats(content, title) for title, content in given.made() if isinstance(content, Table)]
    breaks = ["" if number % FLOATS else "\\clearpage\n" for number in range(1, len(tables) + 1)]
    return _file("\n".join(floats + page for floats, page in zip(tables, breaks, strict=True)))


def table(content: Table, title: str) -> str:
    return _file(_floats(content, title))


def figure(content: Figure, title: str) -> str:
    """A figure that takes its PDF from a file beside the paper, and until then names it; panels over both columns."""
    file = f"{SLUG.sub('-', title.lower()).strip('-')}.pdf"
    environment = "figure*" if _is_wide(content) else "figure"
    lines = [
        r"% \usepackage{graphicx}",
        f"% Save the PDF of this figure as {file}. It shows: {' '.join(content.describes.split())}",
        rf"\begin{{{environment}}}",
        r"\centering",
        rf"\IfFileExists{{{file}}}{{\includegraphics[width=\linewidth]{{{file}}}}}"
        rf"{{\fbox{{\parbox{{0.9\linewidth}}{{\raggedright\hspace{{0pt}}{breakable(file)}}}}}}}",
        rf"\caption{{{breakable(title)}}}",
        *_notes(content.notes),
        rf"\end{{{environment}}}",
        "",
    ]
    text = "\n".join(lines)
    return f"{DEFINES_OTHER}\n{text}" if OTHER in text else text


def _is_wide(content: Figure) -> bool:
    """Whether it is of several panels."""
    return "facet" in content.spec


def _file(text: str) -> str:
    return "\n".join([NEEDS, *([DEFINES_OTHER] if OTHER in text else []), text])


def _floats(content: Table, title: str) -> str:
    parts = parts_of(content)
    last = len(parts)
    return "\n".join(
        _float(part, f"{title} ({number} of {last})" if last > 1 else title, content.notes if number == last else ())
        for number, part in enumerate(parts, start=1)
    )


def _float(part: Part, title: str, notes: Sequence[str]) -> str:
    lines = [
        rf"\begin{{{part.environment}}}",
        r"\centering",
        rf"\{part.size.name}",
        r"\setlength{\tabcolsep}{4pt}",
        rf"\caption{{{breakable(title)}}}",
        rf"\begin{{tabular}}{{@{{}}{''.join(map(_kind, part.columns))}@{{}}}}",
        r"\toprule",
        *_head(part.columns),
        r"\midrule",
        *_rows(part),
        r"\bottomrule",
        r"\end{tabular}",
        *_notes(notes),
        rf"\end{{{part.environment}}}",
        "",
    ]
    return "\n".join(lines)


def _kind(column: Column) -> str:
    """Numbers to the right, words to the left, and long texts in lines of a width."""
    return rf"p{{{column.share - 0.001:.3f}\linewidth}}" if column.long else "r" if column.numbers else "l"


def _head(columns: Sequence[Column]) -> Iterator[str]:
    """Heads of several lines stand on the rule."""
    most = max((len(column.head) for column in columns), default=0)
    for line in range(most):
        yield _line(_head_cell(column, line - most + len(column.head)) for column in columns)


def _head_cell(column: Column, line: int) -> str:
    if line < 0:
        return ""
    return _in_lines(breakable(column.head[line])) if column.long else safe(column.head[line])


def _rows(part: Part) -> Iterator[str]:
    """Rows of several lines stand a little apart."""
    apart = any(column.long or any(smalls(cell) for cell in column.cells) for column in part.columns)
    for row in range(part.start, part.end):
        if apart and row > part.start:
            yield r"\addlinespace[2pt]"
        yield from _row(part, row)


def _row(part: Part, row: int) -> Iterator[str]:
    """A line of cells, and under it what is small."""
    cells = [(part_column.cells[row], part_column) for part_column in part.columns]
    yield _line(_cell(cell, column, part) for cell, column in cells)
    for line in range(under(part.columns, row)):
        yield _line("" if column.long else _small(smalls(cell)[line : line + 1], part) for cell, column in cells)


def _line(cells: Iterator[str]) -> str:
    return rf"{' & '.join(cells)} \tabularnewline"


def _cell(cell: Cell, column: Column, part: Part) -> str:
    if column.long:
        return _in_lines(_marked(cell) + (f" {_small([cell.small], part)}" if cell.small else ""))
    text = MINUS.sub("$-$", safe(cell.text)) if column.numbers else safe(cell.text)
    text = rf"\textbf{{{text}}}" if cell.best else text
    return text + (rf"\rlap{{\textsuperscript{{{cell.stars}}}}}" if cell.stars else "")


def _marked(cell: Cell) -> str:
    pieces = [rf"\emph{{{breakable(text)}}}" if marked else _spaced(text) for text, marked in cell.pieces]
    return "".join(pieces) if cell.marks else breakable(cell.text)


def _spaced(text: str) -> str:
    """The white space at the ends of a piece is that between two words."""
    return " " * text[:1].isspace() + breakable(text) + " " * text[-1:].isspace()


def _in_lines(text: str) -> str:
    """Lines of a cell that need not end together; TeX breaks no first word of a paragraph but after some space."""
    return rf"\raggedright\hspace{{0pt}}{text}"


def _small(texts: Sequence[str], part: Part) -> str:
    return "".join(rf"{{\{part.size.small} {MINUS.sub('$-$', safe(text))}}}" for text in texts)


def _notes(notes: Sequence[str]) -> list[str]:
    """Below the table, as wide as its place."""
    if not notes:
        return []
    text = " ".join(breakable(note) for note in notes)
    return [r"\par\smallskip", rf"\begin{{minipage}}{{\linewidth}}\footnotesize\raggedright {text}\end{{minipage}}"]


RENDERER = Renderer("LaTeX", "application/x-latex; charset=utf-8", "tex", table, figure, whole)
