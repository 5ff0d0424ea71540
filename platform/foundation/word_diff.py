"""What a rewrite changed, word by word."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from rapidfuzz.distance import Indel

WORDS = re.compile(r"\s+|\w+|[^\w\s]")
NEAT = 90_000
"""Up to this product of both lengths difflib is asked, which keeps runs together; at worst it takes their cube."""
MOST = 400_000_000
"""Up to this one the shortest way is looked for, 64 places at a time; beyond it all between the same ends is new."""


def word_diff(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Pieces of both texts in order, each with 'same', 'gone' or 'new'."""
    old, new = WORDS.findall(before), WORDS.findall(after)
    at = past = 0
    for i, k, length in [*matches(old, new), (len(old), len(new), 0)]:
        if at < i:
            yield "gone", "".join(old[at:i])
        if past < k:
            yield "new", "".join(new[past:k])
        if length:
            yield "same", "".join(old[i : i + length])
        at, past = i + length, k + length


def matches(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int]]:
    """What two sequences share, in order: where in the first, where in the second, how many."""
    least = min(len(old), len(new))
    head = next((at for at in range(least) if old[at] != new[at]), least)
    left = least - head
    tail = next((at for at in range(left) if old[-1 - at] != new[-1 - at]), left)
    inner = _inner(old[head : len(old) - tail], new[head : len(new) - tail])
    ends = [(0, 0, head), *((i + head, k + head, n) for i, k, n in inner), (len(old) - tail, len(new) - tail, tail)]
    return _joined([end for end in ends if end[2]])


def _inner(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int]]:
    size = len(old) * len(new)
    if size <= NEAT:
        return [(*block,) for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()]
    if size > MOST:
        return []
    steps = Indel.opcodes(old, new)
    return [(step.src_start, step.dest_start, step.src_end - step.src_start) for step in steps if step.tag == "equal"]


def _joined(found: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    joined: list[tuple[int, int, int]] = []
    for i, k, length in found:
        if joined and (joined[-1][0] + joined[-1][2], joined[-1][1] + joined[-1][2]) == (i, k):
            joined[-1] = (*joined[-1][:2], joined[-1][2] + length)
        else:
            joined.append((i, k, length))
    return joined
