"""Which words two texts share, in order. The time is linear in the words of both.

Equal ends are cut off. Small ranges are aligned by a longest common subsequence. Larger ones are cut at the words that
both have exactly once, in the longest chain that keeps their order (patience diff), and again between those.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

SMALL = 40_000
"""Up to this product of both lengths a table is filled, so all tables have at most 200 cells for each word."""
DEPTH = 16
"""How often a range is cut; what is then still large has nothing in common, which texts by people do not reach."""

Range = tuple[int, int, int, int, int]  # from and to in the first, from and to in the second, how often it was cut


def matches(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int]]:
    """Runs that two sequences share, in order: where in the first, where in the second, how many."""
    runs: list[tuple[int, int, int]] = []
    for i, k in sorted(_pairs(old, new)):
        if runs and (runs[-1][0] + runs[-1][2], runs[-1][1] + runs[-1][2]) == (i, k):
            runs[-1] = (*runs[-1][:2], runs[-1][2] + 1)
        else:
            runs.append((i, k, 1))
    return runs


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    waiting: list[Range] = [(0, len(old), 0, len(new), 0)]
    while waiting:
        i, i_end, k, k_end, depth = waiting.pop()
        while i < i_end and k < k_end and old[i] == new[k]:
            yield i, k
            i, k = i + 1, k + 1
        while i < i_end and k < k_end and old[i_end - 1] == new[k_end - 1]:
            i_end, k_end = i_end - 1, k_end - 1
            yield i_end, k_end
        if (i_end - i) * (k_end - k) <= SMALL:
            yield from _common_subsequence(old[i:i_end], new[k:k_end], i, k)
        elif depth < DEPTH:
            anchors = _anchors(old[i:i_end], new[k:k_end], i, k)
            for a, b in anchors:
                yield a, b
                waiting.append((i, a, k, b, depth + 1))
                i, k = a + 1, b + 1
            if anchors:
                waiting.append((i, i_end, k, k_end, depth + 1))


def _anchors(old: Sequence[str], new: Sequence[str], i: int, k: int) -> list[tuple[int, int]]:
    """The longest chain of words that both ranges have once, in the order of both; `i` and `k` are their starts."""
    here, there = Counter(old), Counter(new)
    places = {word: at for at, word in enumerate(new) if there[word] == 1}
    pairs = [(at, places[word]) for at, word in enumerate(old) if here[word] == 1 and word in places]
    ends: list[int] = []  # where the chain of each length ends in the second, as early as one can
    last: list[int] = []  # the pair that ends it
    before: list[int] = []  # for each pair the one before it in its chain
    for at, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1], last[length : length + 1] = [place], [at]
    chain, at = [], last[-1] if last else -1
    while at >= 0:
        chain.append((pairs[at][0] + i, pairs[at][1] + k))
        at = before[at]
    return chain[::-1]


def _common_subsequence(old: Sequence[str], new: Sequence[str], i: int, k: int) -> Iterator[tuple[int, int]]:
    """The heaviest one (a sign weighs 1, a word of two letters or more 2); of those the one with the earliest words."""
    rows = [[0] * (len(new) + 1)]
    for word in reversed(old):
        below, row, best = rows[-1], [0] * (len(new) + 1), 0
        weight = min(len(word), 2)
        for at in range(len(new) - 1, -1, -1):
            skipped = below[at]
            matched = below[at + 1] + weight if new[at] == word else 0
            best = max(best, skipped, matched)
            row[at] = best
        rows.append(row)
    a = b = 0
    while a < len(old) and b < len(new):
        here, below = rows[len(old) - a], rows[len(old) - a - 1]
        if old[a] == new[b] and here[b] == below[b + 1] + min(len(old[a]), 2):
            yield i + a, k + b
            a, b = a + 1, b + 1
        elif below[b] >= here[b + 1]:
            a += 1
        else:
            b += 1
