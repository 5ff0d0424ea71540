"""Which words of two texts stand beside each other in their edit distance, a bit a word of the reference.

After Hyyrö (2003), "A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances". Of ways that cost the
same it takes the one that TER takes: two words side by side before an output's word that is too many before one that
is missing, from the end.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

Bits = Mapping[str, int]


class Alignment(NamedTuple):
    """`places[j]` is the output's word beside the reference's word j, or where that has none the last one before it.

    `wrong` has a bit for each of the output's words that is not matched, `unmet` for each of the reference's.
    """

    places: list[int]
    wrong: int
    unmet: int


def bits_of(reference: Iterable[str]) -> dict[str, int]:
    """A bit for each place of each word (a character)."""
    bits: dict[str, int] = {}
    for place, word in enumerate(reference):
        bits[word] = bits.get(word, 0) | 1 << place
    return bits


def edit_distance(output: str, end: int, bits: Bits) -> int:
    """The edit distance to a reference of `end` words, at least one, where `bits` say which words match."""
    return end + sum((up >> end - 1 & 1) - (down >> end - 1 & 1) for _, _, up, down in _rows(output, end, bits))


def align(output: str, end: int, bits: Bits) -> Alignment:
    """How the output stands beside that reference."""
    rows = list(_rows(output, end, bits))
    places, wrong, unmet = [-1] * end, 0, 0
    i, j = len(rows), end
    while i and j:
        same, level, up, _ = rows[i - 1]
        bit = j - 1
        if same >> bit & 1 or not level >> bit & 1:
            i, j = i - 1, bit
            places[bit] = i
            if not same >> bit & 1:
                wrong, unmet = wrong | 1 << i, unmet | 1 << bit
        elif up >> bit & 1:
            i -= 1
            wrong |= 1 << i
        else:
            j = bit
            places[bit] = i - 1
            unmet |= 1 << bit
    return Alignment(places, wrong | (1 << i) - 1, unmet | (1 << j) - 1)


def _rows(output: str, end: int, bits: Bits) -> Iterable[tuple[int, int, int, int]]:
    """For each word of the output and each of the reference: whether they match, whether the distance is that of the
    texts before both, and whether it is one more or one less than that of the text before the output's word."""
    every = (1 << end) - 1
    more, less = every, 0
    for word in output:
        same = bits.get(word, 0)
        level = ((((same & more) + more) ^ more) | same | less) & every
        up, down = (less | ~(level | more)) & every, level & more
        yield same, level, up, down
        moved = up << 1 | 1
        more, less = (down << 1 | ~(level | moved)) & every, level & moved
