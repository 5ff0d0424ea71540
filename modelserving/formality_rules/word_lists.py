"""The hand-made word lists in `lists/`: one entry a line, `#` begins a comment, a tab parts the two columns."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "lists"


@cache
def pairs(name: str) -> dict[str, str]:
    """The rows of a table as {left column: right column}, in the order of the file."""
    return {left: right for left, _, right in (line.partition("\t") for line in _lines(name))}


@cache
def words(name: str) -> frozenset[str]:
    """The entries of a list."""
    return frozenset(_lines(name))


def pattern(entries: Iterable[str]) -> re.Pattern[str]:
    """Finds any of the entries as whole words, the longest first, case aside; one space stands for any space."""
    alternatives = sorted(entries, key=len, reverse=True)
    joined = "|".join(re.escape(entry).replace(r"\ ", r"\s+") for entry in alternatives)
    return re.compile(rf"(?<![\w'&-])(?:{joined})(?![\w'&]|-\w|\.\w)", re.IGNORECASE)


def looked_up(found: str) -> str:
    """A match as it stands in the list: small letters, one space."""
    return " ".join(found.lower().split())


def _lines(name: str) -> list[str]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [line.rstrip() for line in lines if line.strip() and not line.startswith("#")]
