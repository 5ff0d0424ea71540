"""The changes of a rewrite, by words. `static/restyle/js/annotation/diff/` is the same in the browser.

Words are aligned (`alignment`), matches that are too short to help a reader are given up (`clean_up`), and the
remaining ones become pieces of both texts (`pieces`). All steps take linear time. One table of cases and random texts
hold both implementations to each other (`tests/browser/annotation/test_word_diff_in_a_browser.py`).
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, groupby, zip_longest
from typing import NamedTuple

import regex

# The words that two texts share, in order. The time is linear in the words of both.
#
# Equal ends are cut off. Small ranges are aligned by a longest common subsequence. Larger ones are cut at the words
# that both have exactly once, in the longest chain that keeps their order (patience diff), and again between those.

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


# Texts as words, which a diff never cuts.
#
# A word is a run of grapheme clusters that begin with a letter, a digit or `_`, so marks and joiners stay with their
# letters. Scripts that write no spaces between words give one cluster each; other clusters stand alone.

CLUSTER = regex.compile(r"\p{RI}\p{RI}[\p{M}\u200c\u200d]*|\X")  # flags first: a row of them takes \X quadratic time
SPACE = regex.compile(r"\p{White_Space}")
UNSPACED = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}"
    r"\p{Script=Myanmar}]"
)
DIGIT = regex.compile(r"\p{Nd}")
HEBREW = regex.compile(r"(?=\p{L})\p{Script=Hebrew}")
WORDED = regex.compile(r"[\p{L}\p{M}\p{N}_]")
BETWEEN_LETTERS = frozenset("'’\u05f3\u05f4\u00b7")  # don't, l’eau, ג׳ירפה, col·legi
BETWEEN_DIGITS = frozenset(".,:'’")  # 3.5, 1,000, 10:30
LETTERS = frozenset({"letter", "hebrew"})
WORD = LETTERS | {"digit"}


class Word(NamedTuple):
    """A word or another cluster, and the white space behind it."""

    text: str
    space: str


def words(text: str) -> list[Word]:
    """The words of a text; the first is empty and holds the space before the others."""
    clusters = CLUSTER.findall(text)
    kinds = [_kind(cluster[0]) for cluster in clusters]
    found = [["", ""]]
    for at, (cluster, kind) in enumerate(zip(clusters, kinds, strict=True)):
        if kind == "space":
            found[-1][1] += cluster
        elif found[-1][1] or at == 0 or not _continues(clusters, kinds, at):
            found.append([cluster, ""])
        else:
            found[-1][0] += cluster
    return [Word(*one) for one in found]


def runs(text: str) -> list[str]:
    """The runs between white space; in scripts without white space, the characters."""
    return [
        part
        for run in text.split()
        for part in ([word.text for word in words(run) if word.text] if UNSPACED.search(run) else [run])
    ]


def _continues(clusters: list[str], kinds: list[str], at: int) -> bool:
    """Whether the cluster belongs to the word before it."""
    if kinds[at] in WORD:
        return kinds[at - 1] in WORD or (at > 1 and _joins(clusters, kinds, at - 1))
    return _joins(clusters, kinds, at)


def _joins(clusters: list[str], kinds: list[str], at: int) -> bool:
    """Whether the cluster is a sign inside a word, as in "don't", "3.5" and צה"ל."""
    if not 0 < at < len(clusters) - 1:
        return False
    sides = {kinds[at - 1], kinds[at + 1]}
    return (
        (clusters[at] in BETWEEN_LETTERS and sides <= LETTERS)
        or (clusters[at] in BETWEEN_DIGITS and sides == {"digit"})
        or (clusters[at] == '"' and sides == {"hebrew"})
    )


@lru_cache(maxsize=4096)
def _kind(character: str) -> str:
    if SPACE.match(character):
        return "space"
    if UNSPACED.match(character) or not WORDED.match(character):
        return "alone"
    return "digit" if DIGIT.match(character) else "hebrew" if HEBREW.match(character) else "letter"


# Both texts in pieces: same, gone, new.

LEAST = 5
"""Of the shorter text a fifth must be kept, in characters, or nothing counts as kept."""

Run = tuple[int, int, int]  # as `alignment.matches` has them


def cleaned(runs: Iterable[Run], old: Sequence[str], new: Sequence[str]) -> list[Run]:
    """The runs that stay."""
    lengths = [list(accumulate(map(len, words), initial=0)) for words in (old, new)]
    end = (len(old), len(new), 0)
    kept: list[Run] = [(0, 0, 0)]
    for run in [*runs, end]:
        while len(kept) > 1 and _is_swallowed(kept[-2], kept[-1], run, lengths):
            kept.pop()
        kept.append(run)
    kept = kept[1:-1]
    total = sum(lengths[0][i + length] - lengths[0][i] for i, _, length in kept)
    return kept if total * LEAST >= min(lengths[0][-1], lengths[1][-1]) else []


def _is_swallowed(before: Run, run: Run, after: Run, lengths: list[list[int]]) -> bool:
    """Whether the run is no longer than the larger side of the change before it, and of the one behind it."""
    length = lengths[0][run[0] + run[2]] - lengths[0][run[0]]
    return all(length <= _changed(one, other, lengths) for one, other in ((before, run), (run, after)))


def _changed(run: Run, following: Run, lengths: list[list[int]]) -> int:
    """The characters between two runs, of the side that has more."""
    return max(
        lengths[0][following[0]] - lengths[0][run[0] + run[2]], lengths[1][following[1]] - lengths[1][run[1] + run[2]]
    )


SAME, GONE, NEW = "same", "gone", "new"
LONG = 400  # characters, of which a third is shared at least where the pieces are shown
SHARED = 3


class Piece(NamedTuple):
    """'same', 'gone' or 'new', and the text."""

    kind: str
    text: str

    @property
    def has_letters(self) -> bool:
        """Whether the text has a direction of its own to be shown in."""
        return bool(WORDED.search(self.text))


def word_diff(before: str, after: str) -> list[Piece]:
    """Pieces of both texts in order; between two that are the same, at most one that is gone, then one that is new."""
    old, new = words(before), words(after)
    here, there = [word.text for word in old], [word.text for word in new]
    steps = _steps(old, new, [(0, 0, 1), *_kept(here[1:], there[1:])])
    return list(_joined(_grouped(steps)))


def line_diff(before: str, after: str) -> list[Piece]:
    """As `word_diff`, of texts in lines: what changed stays in its line, and lines that came or went are whole."""
    old, new = (text.replace("\r\n", "\n").splitlines(keepends=True) for text in (before, after))
    pieces, at, past = list[Piece](), 0, 0
    for i, k, length in [*matches(old, new), (len(old), len(new), 0)]:
        for one, other in zip_longest(old[at:i], new[past:k], fillvalue=""):
            pieces += word_diff(one, other)
        pieces += [Piece(SAME, "".join(old[i : i + length]))] * bool(length)
        at, past = i + length, k + length
    return pieces


def is_mostly_other(pieces: Sequence[Piece], longer_than: int = LONG) -> bool:
    """Whether texts share so little that one after the other, or unmarked, they are read more easily than in pieces.

    Texts of at most `longer_than` characters never do.
    """
    size = {kind: sum(len(piece.text) for piece in pieces if piece.kind == kind) for kind in (SAME, GONE, NEW)}
    longest = size[SAME] + max(size[GONE], size[NEW])
    return longest > longer_than and size[SAME] * SHARED < longest


def _kept(old: list[str], new: list[str]) -> list[tuple[int, int, int]]:
    return [(i + 1, k + 1, length) for i, k, length in cleaned(matches(old, new), old, new)]


def _steps(old: list[Word], new: list[Word], runs: Iterable[tuple[int, int, int]]) -> Iterator[Piece]:
    """Each word and each space by itself. White space that differs behind a word that stayed is a change."""
    at = past = 0
    for i, k, length in [*runs, (len(old), len(new), 0)]:
        yield Piece(GONE, _text(old[at:i]))
        yield Piece(NEW, _text(new[past:k]))
        for one, other in zip(old[i : i + length], new[k : k + length], strict=True):
            yield Piece(SAME, one.text)
            yield from (
                [Piece(SAME, one.space)]
                if one.space == other.space
                else [Piece(GONE, one.space), Piece(NEW, other.space)]
            )
        at, past = i + length, k + length


def _grouped(steps: Iterable[Piece]) -> Iterator[Piece]:
    """Changes beside one another as one, without the white space in which both of its sides end."""
    for is_kept, run in groupby((step for step in steps if step.text), key=lambda step: step.kind == SAME):
        group = list(run)
        gone, new = ("".join(one.text for one in group if one.kind == kind) for kind in (GONE, NEW))
        shared = 0
        while (
            shared < min(len(gone), len(new))
            and gone[-1 - shared] == new[-1 - shared]
            and SPACE.match(gone[-1 - shared])
        ):
            shared += 1
        if is_kept:
            yield Piece(SAME, _joined_text(group))
        else:
            yield Piece(GONE, gone[: len(gone) - shared])
            yield Piece(NEW, new[: len(new) - shared])
            yield Piece(SAME, gone[len(gone) - shared :])


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    for kind, run in groupby((piece for piece in pieces if piece.text), key=lambda piece: piece.kind):
        yield Piece(kind, _joined_text(run))


def _joined_text(pieces: Iterable[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def _text(of: Iterable[Word]) -> str:
    return "".join(word.text + word.space for word in of)
