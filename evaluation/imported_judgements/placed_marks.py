"""Stretches that people marked in other tools, as their files tell them, and as marks of one of the two texts.

A file may leave open which text a stretch is of, and count otherwise: from the first character, in UTF-16 code units
as browsers do, or with the last character within. Where it has the marked words, these decide.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from annotation.marked_texts import Mark, new_mark
from annotation.span_taxonomies import TAXONOMIES

WHOLE = -1
"""As the end of a stretch: all of the text."""
NOWHERE = "a mark lies outside of the text, or its words are not there"
SEVERITIES = {one.name.casefold() for taxonomy in TAXONOMIES.values() for one in taxonomy.severities}
SOURCE = re.compile(r"(?<![a-z])(?:source|src|input|original)(?![a-z])", re.IGNORECASE)


class Placed(NamedTuple):
    """A stretch: what it was called in each question, its words, the field that it is of, as far as they are known."""

    start: int
    end: int
    labels: Sequence[tuple[str, str]]
    quote: str = ""
    of: str = ""
    reason: str = ""
    utf16: bool = False


def placed(
    cells: Mapping[str, str], labels: Sequence[tuple[str, str]], start: str, end: str, quote: str = "", of: str = "",
    reason: str = "",
) -> Placed:  # fmt: skip
    """A stretch between the numbers of two cells; nowhere, where they are none."""
    try:
        begin, stop = int(cells.get(start, "")), int(cells.get(end, ""))
    except ValueError:
        begin, stop = WHOLE, 0
    return Placed(begin, stop, labels, quote, of, reason)


def mark_of(given: Placed, source: str, output: str) -> Mark | None:
    """The mark in the text that it is of; None where neither holds it."""
    named = " ".join([given.of, *(question for question, _ in given.labels)])
    texts = {"output": output, "source": source}
    sides = ["source", "output"] if SOURCE.search(named) else ["output", "source"]
    for side in sides if given.quote else sides[:1]:
        for start, end in _places(given, texts[side]):
            kinds = list(dict.fromkeys(label for _, label in given.labels if label.casefold() not in SEVERITIES))
            severity = next((label for _, label in given.labels if label.casefold() in SEVERITIES), "")
            made = new_mark(side, start, end, ", ".join(filter(None, kinds)), severity)
            return {**made, "reason": given.reason}
    return None


def _places(given: Placed, text: str) -> Iterator[tuple[int, int]]:
    """The places of the stretch in the text, the likeliest first."""
    if given.end == WHOLE:
        yield 0, len(text)
        return
    units = [place for place, sign in enumerate(text) for _ in range(1 + (sign > "\uffff"))] + [len(text)]
    for last in (given.end, given.end + 1):
        ways = [(given.start, last)]
        if 0 <= given.start < last < len(units):
            ways.insert(0 if given.utf16 else 1, (units[given.start], units[last]))
        for start, end in ways:
            if 0 <= start < end <= len(text) and given.quote in ("", text[start:end]):
                yield start, end
        if not given.quote:
            return
