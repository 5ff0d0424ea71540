"""What a rewrite changed, word by word."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

WORDS = re.compile(r"\s+|\w+|[^\w\s]")


def word_diff(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Pieces of both texts in order, each with 'same', 'gone' or 'new'."""
    old, new = WORDS.findall(before), WORDS.findall(after)
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield "same", "".join(old[i:j])
            continue
        if i < j:
            yield "gone", "".join(old[i:j])
        if k < m:
            yield "new", "".join(new[k:m])
