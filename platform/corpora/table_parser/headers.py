"""Whether the first row of a table names its columns."""

import re
from collections.abc import Sequence

WORDS = frozenset(re.findall(r"\w+", """
    source sources src sentence sentences text texts original input inputs id ids key number no nr index line ref
    refs reference references target targets tgt gold hyp hypothesis output outputs prediction predictions
    generated system systems model models worker workers rater raters annotator annotators judge participant user
    person score scores rating ratings value values label labels answer response split set fold domain topic
    category title name style section heading part code doc document documents article abstract pmid criterion
    criteria aspect question time seconds duration date formality fluency meaning translation rewrite formal
    informal expert lay simple complex comment comments note notes status email language
    """))  # fmt: skip
NUMBER = re.compile(r"[-+]?\d{1,20}(?:[.,]\d{1,20})?%?")
PARTS = re.compile(r"[^\W\d_]+")
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
LONGEST = 80


def tokens(name: str) -> list[str]:
    """The words of a column's name in lower case: `sourceText_1` is source and text."""
    return [word.lower() for word in PARTS.findall(HUMP.sub(" ", name[:200]))]


def is_header(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Whether `first` looks like names of columns, before some of the rows below it."""
    cells = [cell.strip() for cell in first]
    named = [cell for cell in cells if cell]
    if not named or any(_is_no_name(cell) for cell in named):
        return False
    if any(set(tokens(cell)) & WORDS and len(tokens(cell)) <= 4 for cell in named):
        return len(cells) > 1 or len(tokens(cells[0])) == 1
    below = [[row[place] for row in others if place < len(row) and row[place].strip()] for place in range(len(cells))]
    distinct = len(set(named)) == len(named)
    return len(cells) > 1 and distinct and any(column and all(map(_is_number, column)) for column in below)


def _is_no_name(cell: str) -> bool:
    return len(cell) > LONGEST or _is_number(cell) or (cell.endswith((".", "!", "?")) and len(cell.split()) > 1)


def _is_number(cell: str) -> bool:
    return bool(NUMBER.fullmatch(cell.strip()))
