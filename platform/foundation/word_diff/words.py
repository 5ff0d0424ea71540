"""Texts as words: what a diff never cuts.

A word is a run of grapheme clusters that begin with a letter, a digit or `_`, so marks and joiners stay with their
letters. Scripts that write no spaces between words give one cluster each; other clusters stand alone.
"""

from functools import lru_cache
from typing import NamedTuple

import regex

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
    """What white space parts; where a script writes none, its characters."""
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
