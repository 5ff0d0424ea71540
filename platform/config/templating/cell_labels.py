"""The cells of a table that becomes cards on a phone say which column they are of: the heading is written once.

Each `th` in a `thead` is the heading of a column (`scope="col"`), unless it has another scope. Each `td` of a
`table.cards` gets the text of its column's heading as `data-label`, unless it has one. This is done when a template is
loaded, so that a page does nothing for it. A column of an `if` in the head is one of an `if` in the rows; what stands
in a `for` of a row, or below a heading that is not seen or is an `include`, gets none, nor does `<td data-label>`.

Each heading of one message in a table with tools gets the message as `data-key`, by which links and kept choices name
the column in every language (js/tables/address.js).
"""

import re
from dataclasses import dataclass, field

from config.templating.whitespace import Token, tokens_of

IS_CARDS = re.compile(r'\sclass="cards\b')
SPAN = re.compile(r'\scolspan="(\d+)"')
HAS_LABEL = re.compile(r"\sdata-label\b")
NO_LABEL = re.compile(r"\sdata-label(?=[\s>])")
HIDDEN = "visually-hidden"
HAS_TOOLS = "{% table_tools "
MESSAGE = re.compile(r"""\{% translate (["'])(?P<words>[^"']+)\1 %\}""")
BRANCHES = {"if": 1, "elif": 0, "else": 0, "endif": -1}


@dataclass
class Columns:
    """Which column a place of a row is in, by what stands before it; the branches of an `if` begin at the same one."""

    at: int = 0
    begun: list[int] = field(default_factory=list)
    loops: list[bool] = field(default_factory=list)  # of each that is open, whether a cell stands in it

    def pass_by(self, token: Token) -> None:
        if token.name == "for":
            self.loops.append(False)
        elif token.name == "endfor" and self.loops:
            self.at += self.loops.pop()  # however many cells it makes, they are one column
        elif token.name == "if":
            self.begun.append(self.at)
        elif token.name in BRANCHES and self.begun:
            self.at = self.begun[-1] if token.name != "endif" else max(self.at, self.begun.pop())

    def pass_cell(self, token: Token) -> None:
        span = SPAN.search(token.text)
        if self.loops:
            self.loops[-1] = True
        else:
            self.at += int(span[1]) if span else 1


def with_cell_labels(source: str) -> str:
    """The source of a template whose tables say in each cell of which column it is."""
    if "<thead" not in source:
        return source
    tokens = tokens_of(source)
    labels: dict[int, str] = {}
    columns, inside, is_cards, is_head, has_tools = Columns(), False, False, False, False
    written = []
    for place, token in enumerate(tokens):
        text = token.text
        if token.is_django and inside:
            columns.pass_by(token)
        elif token.name == "table":
            inside, is_cards, labels = not token.is_closing, bool(IS_CARDS.search(text)), {}
            has_tools = HAS_TOOLS in text
        elif inside and token.name in ("thead", "tr"):
            is_head = is_head if token.name == "tr" else not token.is_closing
            columns = Columns()
        elif inside and token.name in ("td", "th") and not token.is_closing:
            if is_head:
                text = text if " scope=" in text else text.replace("<th", '<th scope="col"', 1)
                if not columns.loops and (label := _text_of(tokens, place)):
                    labels.setdefault(columns.at, label)
                    text = _keyed(text, label) if has_tools else text
            elif is_cards and token.name == "td":
                text = _labelled(text, "" if columns.loops else labels.get(columns.at, ""))
            columns.pass_cell(token)
        written.append(text)
    return "".join(written)


def _keyed(head: str, label: str) -> str:
    message = MESSAGE.fullmatch(label)
    return f'{head[:-1]} data-key="{message["words"]}">' if message and " data-key=" not in head else head


def _labelled(cell: str, label: str) -> str:
    if HAS_LABEL.search(cell):
        return NO_LABEL.sub("", cell)
    return f'{cell[:-1]} data-label="{label}">' if label else cell


def _text_of(tokens: list[Token], place: int) -> str:
    """The text of a heading; "" where it is not seen, or where another template holds it."""
    end = next(at for at in range(place, len(tokens)) if tokens[at].name == "th" and tokens[at].is_closing)
    inner = tokens[place + 1 : end]
    if any(HIDDEN in token.text or token.name == "include" for token in inner):
        return ""
    return "".join(token.text for token in inner if token.kind != "html").strip()
