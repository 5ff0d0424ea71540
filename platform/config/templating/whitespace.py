"""Which whitespace of a template shows on the page, and a template's source without the rest."""

import re
from dataclasses import dataclass

# Whitespace in templates: which of it shows, and a template's source without the rest.
#
# Browsers show no whitespace at the borders of block-level elements (CSS Text 3, section 4.1.1), and one space for any
# other run of it. `without_whitespace` takes the first kind out and makes one space of the second, so that a template
# can be written an element a line at no cost on the page. Texts in `pre`, `textarea`, `script`, `style`, attributes,
# comments and `blocktranslate` (whose whitespace is part of the message that translators know) stay as they are.

BLOCK_LEVEL_NAMES = """
!doctype html head body meta link title div p ul ol li dl dt dd table thead tbody tfoot tr td th caption colgroup col
section article aside header footer nav main form fieldset legend h1 h2 h3 h4 h5 h6 details summary figure figcaption
blockquote pre hr option optgroup template g path rect line circle polyline polygon defs
"""
BLOCK_LEVEL = frozenset(BLOCK_LEVEL_NAMES.split())
# The contents of these elements and of these blocks stay as they are.
VERBATIM = frozenset({"pre", "textarea", "script", "style"})
OPAQUE = frozenset({"comment", "blocktranslate", "blocktrans"})
# Elements in a line whose content is a block of its own, so that whitespace at its two ends shows nothing.
INLINE_BLOCKS = frozenset({"button", "select", "svg"})
# Statements: they print nothing, and the whitespace behind them goes with them.
STATEMENTS = frozenset({"load", "comment"})
# Tags that show nothing: the tokens before and behind them are neighbours of the whitespace, whichever branch is taken.
SHOWS_NOTHING = STATEMENTS | {"block", "endblock", "with", "endwith", "extends", "autoescape", "csrf_token"}
SEEN_BACKWARDS = SHOWS_NOTHING | {"if"}
SEEN_FORWARDS = SHOWS_NOTHING | {"endif"}
BRANCHES = frozenset({"else", "elif"})

# Each piece ends before another begins, so that a piece without an end takes no longer to find than its own length.
DJANGO = r"\{%(?>(?:(?!\{%|%\}).)*)%\}|\{\{(?>(?:(?!\{\{|\}\}).)*)\}\}|\{\#(?>(?:(?!\{\#|\#\}).)*)\#\}"
VALUE = rf'"(?>(?:{DJANGO}|[^"])*)"|\'(?>(?:{DJANGO}|[^\'])*)\''
TOKEN = re.compile(
    rf"""(?P<django>{DJANGO})
    |(?P<html></?(?P<name>!?[a-zA-Z][\w-]*+)(?>(?:{DJANGO}|{VALUE}|[^<>"'{{]|\{{)*)>)
    |(?P<space>\s++)
    |(?P<text>[^\s<{{]++|[<{{])""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """A piece of a template's source: an element's tag, a Django tag, a run of whitespace, a word."""

    kind: str
    text: str
    name: str = ""  # of the element or of the Django tag

    @property
    def is_block_level(self) -> bool:
        return self.kind in ("html", "verbatim") and self.name in BLOCK_LEVEL

    @property
    def is_closing(self) -> bool:
        return self.text.startswith("</")

    @property
    def is_django(self) -> bool:
        return self.kind in ("django", "opaque")


def tokens_of(source: str) -> list[Token]:
    """The source of a template in pieces, which give it again when they are joined."""
    tokens: list[Token] = []
    left: list[str] = []  # the pieces of a text that stays as it is, as far as it has been read
    begun, end = Token("", ""), ""
    for match in TOKEN.finditer(source):
        token = _token(match)
        if not left and (end := _end_of(token)):
            begun = token
        if end:
            left.append(token.text)
        if not end:
            tokens.append(token)
        elif _closes(token, end):
            tokens.append(Token("opaque" if begun.is_django else "verbatim", "".join(left), begun.name))
            left, end = [], ""
    return tokens + ([Token("opaque", "".join(left), begun.name)] if left else [])


def _token(match: re.Match[str]) -> Token:
    kind, text = str(match.lastgroup), match.group()
    if match["name"]:
        return Token("html", text, match["name"].lower())
    if text.startswith("{%") and kind == "django":
        return Token(kind, text, _tag_name(text))
    return Token(kind, text, "comment" if text.startswith("{#") else "")


def _end_of(token: Token) -> str:
    """The end of the text that begins with this token and stays as it is; "" where no such text begins."""
    if token.kind == "html" and token.name in VERBATIM and not token.is_closing:
        return f"</{token.name}"
    is_block = token.text.startswith("{%") and token.name in OPAQUE
    return f"end{token.name}" if is_block else ""


def _closes(token: Token, end: str) -> bool:
    return token.text.lower().startswith(end) if token.kind == "html" else token.is_django and token.name == end


def _tag_name(text: str) -> str:
    words = text[2:-2].split()
    return "load" if words[-2:-1] == ["as"] and words[-1].isidentifier() else words[0]  # `... as name` prints nothing


def shows_nothing(tokens: list[Token], before: int, behind: int) -> bool:
    """Does whitespace between the tokens at these places show nothing on the page?

    Args:
        tokens: A template in pieces.
        before: The place of the last token before the whitespace, -1 at the start.
        behind: The place of the first token behind it.
    """
    if before >= 0 and tokens[before].is_django and tokens[before].name in STATEMENTS:
        return True
    while before >= 0 and _is_passed(tokens[before], SEEN_BACKWARDS | BRANCHES) and not _is_filled(tokens, before, -1):
        before = _out_of_branch(tokens, before, -1)
    while (
        behind < len(tokens)
        and _is_passed(tokens[behind], SEEN_FORWARDS | BRANCHES)
        and not _is_filled(tokens, behind, 1)
    ):
        behind = _out_of_branch(tokens, behind, 1)
    return (before >= 0 and _ends_a_line(tokens[before], False)) or (
        behind < len(tokens) and _ends_a_line(tokens[behind], True)
    )


def _is_passed(token: Token, names: frozenset[str]) -> bool:
    is_hidden = token.name == "input" and 'type="hidden"' in token.text
    return token.kind == "space" or is_hidden or (token.is_django and token.name in names)


def _is_filled(tokens: list[Token], place: int, step: int) -> bool:
    """Is this the end, seen from that side, of a block that is empty here, and so is filled by other templates?"""
    near, far = ("block", "endblock") if step > 0 else ("endblock", "block")
    beside = 0 <= place + step < len(tokens)
    return beside and tokens[place].name == near and tokens[place + step].name == far


def _out_of_branch(tokens: list[Token], place: int, step: int) -> int:
    """The next place in that direction; from an `else`, the one behind its `endif` or before its `if`."""
    depth = int(tokens[place].is_django and tokens[place].name in BRANCHES)
    enters, leaves = ("if", "endif") if step > 0 else ("endif", "if")
    while depth and 0 <= place + step < len(tokens):
        place += step
        if tokens[place].is_django:
            depth += (tokens[place].name == enters) - (tokens[place].name == leaves)
    return place + step


def _ends_a_line(token: Token, closing: bool) -> bool:
    """Does a line of text end at this tag, or within a button at its `closing` or opening one?"""
    inner = token.kind == "html" and token.name in INLINE_BLOCKS and token.is_closing == closing
    return token.is_block_level or inner


def without_whitespace(source: str) -> str:
    """The source with a space for each run of whitespace that shows, and nothing for one that does not."""
    tokens = tokens_of(source)
    written = []
    for place, token in enumerate(tokens):
        if token.kind == "space":
            written.append("" if shows_nothing(tokens, place - 1, place + 1) else " ")
        elif token.kind in ("html", "verbatim"):
            written.append(OPENING.sub(lambda match: _attributes_on_one_line(match.group()), token.text, count=1))
        else:
            written.append(token.text)
    return "".join(written)


OPENING = re.compile(rf"\A<(?>(?:{DJANGO}|{VALUE}|[^<>\"'{{]|\{{)*)>")
IN_TAG = re.compile(rf"(?P<kept>{VALUE}|{DJANGO})|\s+")


def _attributes_on_one_line(tag: str) -> str:
    line = IN_TAG.sub(lambda match: match["kept"] or " ", tag)
    return line[:-2] + ">" if line.endswith(" >") else line
