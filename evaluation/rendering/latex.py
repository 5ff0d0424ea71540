"""Tables in LaTeX for a paper of two columns (`\\usepackage{booktabs}`), the best in bold, intervals beneath."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, product

from evaluation.rendering._base import Json, Renderer
from evaluation.table_parts.contents import Cell, Column, Entry, Figure, Table

# Any text as LaTeX that sets it, by pdfLaTeX as by XeLaTeX and LuaLaTeX, with no package but booktabs.

SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "{''}", "`": "{`}", "[": "{[}", "]": "{]}", "*": "{*}",
}  # fmt: skip
"""A bracket or a star after the end of a row would be read as its option, quotes are active in some languages."""

_WORDS = {
    "–": "--", "—": "---", "‐": "-", "‑": "-", "‒": "--", "―": "---", "‘": "{`}", "’": "{'}", "‚": ",", "“": "{``}",
    "”": "{''}", "„": ",,", "…": r"\ldots{}", "•": r"\textbullet{}", "†": r"\dag{}", "‡": r"\ddag{}", "§": r"\S{}",
    "¶": r"\P{}", "©": r"\copyright{}", "®": r"\textregistered{}", "™": r"\texttrademark{}", "£": r"\pounds{}",
    "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}",
    "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "ȷ": r"\j{}", "å": r"\aa{}", "Å": r"\AA{}", "¡": "!{`}", "¿": "?{`}",
    "ª": "a", "º": "o",
}  # fmt: skip
_MATH = {
    "→": r"\rightarrow", "←": r"\leftarrow", "↑": r"\uparrow", "↓": r"\downarrow", "↔": r"\leftrightarrow",
    "⇒": r"\Rightarrow", "⇐": r"\Leftarrow", "⇔": r"\Leftrightarrow", "↦": r"\mapsto", "≤": r"\leq", "≥": r"\geq",
    "≠": r"\neq", "≈": r"\approx", "≡": r"\equiv", "∼": r"\sim", "±": r"\pm", "∓": r"\mp", "×": r"\times", "÷": r"\div",
    "−": "-", "·": r"\cdot", "∙": r"\cdot", "∞": r"\infty", "√": r"\surd", "∑": r"\sum", "∏": r"\prod", "∫": r"\int",
    "∂": r"\partial", "∆": r"\Delta", "∇": r"\nabla", "∈": r"\in", "∉": r"\notin", "⊂": r"\subset", "∩": r"\cap",
    "∪": r"\cup", "∀": r"\forall", "∃": r"\exists", "¬": r"\neg", "∧": r"\wedge", "∨": r"\vee", "⟨": r"\langle",
    "⟩": r"\rangle", "°": r"^\circ", "′": "'", "″": "''", "µ": r"\mu", "★": r"\star", "☆": r"\star", "✓": r"\surd",
    "✗": r"\times", "½": r"\frac12", "¼": r"\frac14", "¾": r"\frac34", "α": r"\alpha", "β": r"\beta", "γ": r"\gamma",
    "δ": r"\delta", "ε": r"\varepsilon", "ζ": r"\zeta", "η": r"\eta", "θ": r"\theta", "ι": r"\iota", "κ": r"\kappa",
    "λ": r"\lambda", "μ": r"\mu", "ν": r"\nu", "ξ": r"\xi", "π": r"\pi", "ρ": r"\rho", "σ": r"\sigma",
    "ς": r"\varsigma", "τ": r"\tau", "υ": r"\upsilon", "φ": r"\varphi", "χ": r"\chi", "ψ": r"\psi", "ω": r"\omega",
    "Γ": r"\Gamma", "Δ": r"\Delta", "Θ": r"\Theta", "Λ": r"\Lambda", "Ξ": r"\Xi", "Π": r"\Pi", "Σ": r"\Sigma",
    "Φ": r"\Phi", "Ψ": r"\Psi", "Ω": r"\Omega", "⁰": "^0", "¹": "^1", "²": "^2", "³": "^3", "⁴": "^4", "⁵": "^5",
    "⁶": "^6", "⁷": "^7", "⁸": "^8", "⁹": "^9", "⁻": "^-", "₀": "_0", "₁": "_1", "₂": "_2", "₃": "_3", "₄": "_4",
}  # fmt: skip
KNOWN = SPECIAL | _WORDS | {mark: f"${math}$" for mark, math in _MATH.items()}
ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u ", "\u0307": ".",
    "\u0308": '"', "\u030a": "r ", "\u030b": "H ", "\u030c": "v ", "\u0323": "d ", "\u0327": "c ", "\u0331": "b ",
}  # fmt: skip
"""Of the combining marks those that every encoding of fonts has."""

OTHER = r"\restylechars"
DEFINES_OTHER = rf"\providecommand{{{OTHER}}}[2]{{\ifx\Umathchar\undefined{{[#1]}}\else#2\fi}}"
"""What pdfLaTeX has no letters for stands there by its number; with the others it needs a font that has them."""

LONG_WORD, EVERY = 18, 8  # characters: a longer word may be broken after so many


def safe(text: str) -> str:
    """The text in one line."""
    return _escaped(" ".join(unicodedata.normalize("NFC", text).split()))


def breakable(text: str) -> str:
    """The text for a column of a width: words that are too long for one may be broken."""
    words = unicodedata.normalize("NFC", text).split()
    return " ".join(_broken(word) if len(word) > LONG_WORD else _escaped(word) for word in words)


def _broken(word: str) -> str:
    parts = [word[start : start + EVERY] for start in range(0, len(word), EVERY)]
    return r"\allowbreak{}".join(map(_escaped, parts))


def _escaped(text: str) -> str:
    escaped: list[str] = []
    for known, marks in groupby(_pairs(text), key=lambda pair: pair[1] is not None):
        pairs = list(marks)
        escaped.append("".join(code or "" for _, code in pairs) if known else _other([mark for mark, _ in pairs]))
    return "".join(escaped)


def _pairs(text: str) -> Iterator[tuple[str, str | None]]:
    """Each character and its LaTeX; None where only a font of its own has it, with the marks that belong to it."""
    before, foreign = "", False
    for mark in text:
        known = _known(mark)
        if foreign and unicodedata.category(mark).startswith("M"):
            known = None
        yield mark, "{}-" if mark == before == "-" else known  # two would become one dash
        before, foreign = mark, known is None


def _known(mark: str) -> str | None:
    """A character in LaTeX; None where only a font of its own has it, "" for an invisible one."""
    if mark in KNOWN or " " <= mark <= "~":
        return KNOWN.get(mark, mark)
    kind = unicodedata.category(mark)
    if kind in ("Cc", "Cf", "Co", "Cs", "Mn"):
        return ""
    if kind == "Zs":
        return "~" if mark == "\u00a0" else " "
    plain, *accents = list(unicodedata.normalize("NFKD", mark))
    if plain.isascii() and all(accent.isascii() for accent in accents):
        return "".join(SPECIAL.get(character, character) for character in (plain, *accents))
    return _accented(plain, accents) if plain.isascii() and all(accent in ACCENTS for accent in accents) else None


def _accented(plain: str, accents: list[str]) -> str:
    accented = SPECIAL.get(plain, plain)
    for accent in accents:
        accented = rf"\{ACCENTS[accent]}{{{accented}}}"
    return accented


def _other(marks: list[str]) -> str:
    numbers = " ".join(f"U+{ord(mark):04X}" for mark in marks)
    return f"{OTHER}{{{numbers}}}{{{''.join(marks)}}}"


# The place of a table in a paper of two columns, its size, and the number of its parts.
#
# Widths are in points. ACL's columns are 7.7 cm wide (219 points) and 0.6 cm apart; some of that is left free, since
# widths are reckoned. A size is that of \small, or a smaller one, in the class at 11 points.

# How wide words are in points, of Computer Modern at 10 points: other text fonts are hardly wider.

_PLAIN = {
    2.78: "iljI.,:;'!|[]`", 3.06: "f", 3.33: " -", 3.9: "rst()", 4.44: "ce", 5.0: "aoxvy0123456789/*\"", 5.28: "kq_?",
    5.56: "bdhnpuS", 6.5: "zEFLPZ", 7.3: "wACGRTUVXY", 7.8: "BDHJKNOQ+=<>~^#&$\\", 8.4: "m%{}", 9.2: "M", 10.3: "W@",
}  # fmt: skip
WIDTHS = {mark: width for width, marks in _PLAIN.items() for mark in marks}
OTHER_WIDTH = 5.6  # of letters with accents and of signs
FOREIGN = 50.0  # of a letter that stands there by its number
BOLD = 1.16


@cache
def width_of(text: str, *, bold: bool = False) -> float:
    """The width of one line."""
    whole = sum(WIDTHS.get(mark, OTHER_WIDTH if ord(mark) < 0x2E80 else FOREIGN) for mark in text)
    return whole * BOLD if bold else whole


def wrapped(text: str, width: float) -> list[str]:
    """The words in lines of at most that width, where words are not wider by themselves."""
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def lines_of(text: str, width: float) -> int:
    """How many lines a text takes in a column of that width."""
    return sum(max(1, -int(-width_of(line) // width)) for line in wrapped(text, width))


@dataclass(frozen=True)
class Size:
    """A size of letters, its width relative to 10 points, and the size of the lines beneath a number.

    Small letters are wider than in proportion.
    """

    name: str
    scale: float
    small: str = "scriptsize"
    small_scale: float = 0.86


COLUMN, PAGE, HEIGHT = 208.0, 436.0, 560.0
GAP = 8.0  # between two columns of a table
SIZES = (Size("small", 1.0), Size("footnotesize", 0.93), Size("scriptsize", 0.86, "tiny", 0.7))
UNBROKEN, LONG = 260.0, 150.0  # a text that is wider stands in lines, in any table and in one that lacks room
LEAST = 70.0  # of a column of such texts
SPLIT = SIZES[1]
PLACES = (
    (COLUMN, "table", SIZES[0]), (COLUMN, "table", SIZES[1]), (PAGE, "table*", SIZES[0]), (PAGE, "table*", SIZES[1]),
    (PAGE, "table*", SIZES[2]),
)  # fmt: skip
INTERVAL = "95% interval"


@dataclass(frozen=True)
class SetColumn(Column):
    """A column as it is set: its head in `lines`, and its width at 10 points; of `long` texts, which stand in lines,
    `share` is their part of the table's width."""

    lines: Sequence[str] = ()
    long: bool = False
    natural: float = 0.0
    share: float = 0.0


@dataclass(frozen=True)
class Part:
    """The content of one float: some columns, in the rows from `start` to before `end`."""

    columns: Sequence[SetColumn]
    start: int
    end: int
    environment: str
    size: Size


def parts_of(table: Table) -> list[Part]:
    """The floats of a table: one, where it fits into a column or over both; else as few as can be."""
    folded, layouts = _folded(table), []
    for (width, environment, size), most in product(PLACES, (UNBROKEN, LONG)):
        columns = [_set(column, size, most) for column in folded]
        if (fitted := _fitted(columns, width / size.scale)) is not None:
            layouts.append(_by_rows(fitted, environment, size, width, _below(table, width)))
    if layouts:
        return min(layouts, key=len)
    columns, wide = [_set(column, SPLIT, LONG) for column in folded], PAGE / SPLIT.scale
    groups = [_fitted(column_parts, wide) or column_parts for column_parts in _by_columns(columns, wide)]
    return [
        part for column_parts in groups for part in _by_rows(column_parts, "table*", SPLIT, PAGE, _below(table, PAGE))
    ]


def smalls(cell: Cell) -> list[str]:
    """The lines beneath a number: '3.77 to 4.01', 'n = 8'."""
    return cell.small.split(", ") if cell.small else []


def _folded(table: Table) -> list[Column]:
    """The columns; an interval stands under the number that it is of."""
    folded: list[Column] = []
    for column in table.columns:
        if column.head == INTERVAL and folded and folded[-1].numbers:
            under = [_with_interval(*pair) for pair in zip(folded[-1].cells, column.cells, strict=True)]
            folded[-1] = replace(folded[-1], cells=under)
        else:
            folded.append(column)
    return folded


def _with_interval(owner: Cell, interval: Cell) -> Cell:
    if not interval.parts or all(value is None for value in interval.parts.values()):
        return owner
    small = ", ".join(text for text in (interval.text, owner.small) if text)
    return replace(owner, small=small)


def _set(column: Column, size: Size, most: float) -> SetColumn:
    widest = max((_natural(cell, size) for cell in column.cells), default=0.0)
    if not column.numbers and widest > most:
        return SetColumn(column.head, column.better, column.cells, lines=[column.head], long=True, natural=LEAST)
    longest = max((width_of(word, bold=False) for word in column.head.split()), default=0.0)
    lines = wrapped(column.head, max(widest, longest, 40.0))
    return SetColumn(
        column.head, column.better, column.cells, lines=lines, natural=max(widest, *(width_of(line) for line in lines))
    )


def _natural(cell: Cell, size: Size) -> float:
    """Stars hang over; small lines stand below."""
    beneath = max((width_of(_with_minus(line)) for line in smalls(cell)), default=0.0) * size.small_scale / size.scale
    return max(width_of(cell.text if cell.value is None else _with_minus(cell.text), bold=cell.best), beneath)


def _with_minus(text: str) -> str:
    """A minus is as wide as a plus."""
    return text.replace("-", "+")


def _below(table: Table, width: float) -> float:
    """The height of the notes."""
    return 11.5 * sum(lines_of(note, width) for note in table.notes)


def _fitted(columns: Sequence[SetColumn], width: float) -> list[SetColumn] | None:
    """The columns with shares for those of long texts; None where they are too wide together."""
    free = width - GAP * (len(columns) - 1) - sum(column.natural for column in columns if not column.long)
    texts = [column for column in columns if column.long]
    if free < sum(_wanted(column) for column in texts):
        return None
    weights = {id(column): max(_weight(column), 1.0) ** 0.5 for column in texts}
    spare = free - sum(_wanted(column) for column in texts)
    shares = {column_id: spare * weight / sum(weights.values()) for column_id, weight in weights.items()}
    return [
        replace(column, share=(_wanted(column) + shares[id(column)]) / width) if column.long else column
        for column in columns
    ]


def _weight(column: SetColumn) -> float:
    return sum(width_of(cell.text) for cell in column.cells) / max(1, len(column.cells))


def _wanted(column: SetColumn) -> float:
    """The least width of a column of long texts: more for longer ones, so that no column runs down the page."""
    return min(200.0, max(LEAST, _weight(column) / 12))


def _by_columns(columns: Sequence[SetColumn], width: float) -> list[list[SetColumn]]:
    """Groups that fit, each with the first column, which names the rows."""
    first, *others = columns
    groups, now = [], [first]
    for column in others:
        if len(now) > 1 and _fitted([*now, column], width) is None:
            groups.append(now)
            now = [first]
        now.append(column)
    return [*groups, now]


def _by_rows(columns: Sequence[SetColumn], environment: str, size: Size, width: float, below: float) -> list[Part]:
    """Parts that are no higher than a page, with the caption above and the notes below."""
    parts, start, height = [], 0, 0.0
    rows, most = len(columns[0].cells) if columns else 0, max(HEIGHT / 3, HEIGHT - below)
    for row in range(rows):
        own = 2.0 + 12.2 * size.scale * _lines(columns, row, width / size.scale)
        if row > start and height + own > most:
            parts.append(Part(columns, start, row, environment, size))
            start, height = row, 0.0
        height += own
    return [*parts, Part(columns, start, rows, environment, size)]


def _lines(columns: Sequence[SetColumn], row: int, width: float) -> float:
    texts = [
        lines_of(f"{column.cells[row].text} {column.cells[row].small}", column.share * width)
        for column in columns
        if column.long
    ]
    return max([1.0 + under(columns, row), *texts])


def under(columns: Sequence[SetColumn], row: int) -> int:
    """How many lines stand beneath the numbers of a row."""
    return max((len(smalls(column.cells[row])) for column in columns if not column.long), default=0)


# Tables in LaTeX for a paper of two columns (`\usepackage{booktabs}`), the best in bold, intervals beneath.

NEEDS = r"% \usepackage{booktabs}"
FLOATS = 8  # of a whole report before a page is filled: older LaTeX holds 18 that wait, newer 52, and then stops
SLUG = re.compile(r"[^a-z0-9]+")
MINUS = re.compile(r"(?<![^\s(])-(?=\d)")


def whole(report: Json, entries: Iterable[Entry]) -> str:
    """All tables, one float after another: a long table is many of them, and no more than `FLOATS` ever wait."""
    floats = [part for entry in entries if entry.table for part in _floats(entry.table, entry.full_title)]
    breaks = ["" if number % FLOATS else "\\clearpage\n" for number in range(1, len(floats) + 1)]
    return _file("\n".join(part + page for part, page in zip(floats, breaks, strict=True)))


def table(content: Table, title: str) -> str:
    return _file("\n".join(_floats(content, title)))


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


def _floats(content: Table, title: str) -> list[str]:
    parts = parts_of(content)
    last = len(parts)
    return [
        _float(part, f"{title} ({number} of {last})" if last > 1 else title, content.notes if number == last else ())
        for number, part in enumerate(parts, start=1)
    ]


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


def _kind(column: SetColumn) -> str:
    """Numbers to the right, words to the left, and long texts in lines of a width."""
    return rf"p{{{column.share - 0.001:.3f}\linewidth}}" if column.long else "r" if column.numbers else "l"


def _head(columns: Sequence[SetColumn]) -> Iterator[str]:
    """Heads of several lines stand on the rule."""
    most = max((len(column.lines) for column in columns), default=0)
    for line in range(most):
        yield _line(_head_cell(column, line - most + len(column.lines)) for column in columns)


def _head_cell(column: SetColumn, line: int) -> str:
    if line < 0:
        return ""
    return _in_lines(breakable(column.lines[line])) if column.long else safe(column.lines[line])


def _rows(part: Part) -> Iterator[str]:
    """Rows of several lines stand a little apart."""
    apart = any(column.long or any(smalls(cell) for cell in column.cells) for column in part.columns)
    for row in range(part.start, part.end):
        if apart and row > part.start:
            yield r"\addlinespace[2pt]"
        yield from _row(part, row)


def _row(part: Part, row: int) -> Iterator[str]:
    """A line of cells, and the small lines under it."""
    cells = [(part_column.cells[row], part_column) for part_column in part.columns]
    yield _line(_cell(cell, column, part) for cell, column in cells)
    for line in range(under(part.columns, row)):
        yield _line("" if column.long else _small(smalls(cell)[line : line + 1], part) for cell, column in cells)


def _line(cells: Iterator[str]) -> str:
    return rf"{' & '.join(cells)} \tabularnewline"


def _cell(cell: Cell, column: SetColumn, part: Part) -> str:
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
