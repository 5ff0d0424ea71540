"""Terms with their full forms in square brackets, as MedLane writes them."""

import re
from collections.abc import Iterable, Mapping

from corpora.gold_records.rows import one_line

BRACKETS = re.compile(r"(?<![^\s\[\]])([^\s\[\]]*+)\[([^\[\]]++)\]")  # begins where a word does: linear in time


Segments = list[dict[str, str]]


def bracketed(segments: Iterable[Mapping[str, str]]) -> str:
    """Segments as one line, the full form of each abbreviation in brackets behind it."""
    parts = (part["text"] + (f"[{part['full']}]" if part["full"] else "") for part in segments)
    return one_line("".join(parts))


def segments(text: str) -> Segments:
    """The way back: the word right before a bracket is the abbreviation; none is there where the full form is alone."""
    found: Segments = []
    place = 0
    for match in BRACKETS.finditer(text):
        if match.start() > place:
            found.append({"text": text[place : match.start()], "full": ""})
        found.append({"text": match[1], "full": match[2]})
        place = match.end()
    if place < len(text):
        found.append({"text": text[place:], "full": ""})
    return found
