"""Mentions of concepts as MSD writes them."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any


def concepts_of(text: str, mentions: Iterable[Any]) -> list[dict[str, Any]]:
    """Mentions (start and end in characters, `term`, `cui`) as the form has them, by their words in `text`."""
    starts = [word.start() for word in re.finditer(r"\S+", text)]
    return [
        {"range": _words(starts, mention.start, mention.end), "term": mention.term, "cui": [mention.cui]}
        for mention in mentions
    ]


def _words(starts: Sequence[int], start: int, end: int) -> list[int]:
    return [max(0, bisect_right(starts, start) - 1), max(0, bisect_right(starts, max(start, end - 1)) - 1)]
