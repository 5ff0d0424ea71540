"""Balanced orders: Williams designs (Williams 1949).

A Latin square puts each of n candidates in each place once; Williams' also lets each follow each other equally often,
so that the effect of a neighbour cancels out. It takes n rows where n is even, 2n where it is odd.
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

from foundation.papers import Paper

PAPER = Paper(
    "Williams",
    1949,
    "Experimental designs balanced for the estimation of residual effects of treatments",
    "https://doi.org/10.1071/CH9490149",
)


def rows(size: int) -> int:
    """How many rows the design for `size` candidates has before it begins again."""
    return size if size % 2 == 0 or size == 1 else 2 * size


@lru_cache(maxsize=4096)
def row(size: int, number: int) -> tuple[int, ...]:
    """Row `number` (taken modulo `rows(size)`) of the design: a permutation of range(size)."""
    if size < 1:
        return ()
    number %= rows(size)
    zigzag = [(step + 1) // 2 if step % 2 else -(step // 2) for step in range(size)]  # 0, 1, -1, 2, -2 ...
    shifted = tuple((place + number) % size for place in zigzag)
    return shifted[::-1] if number >= size else shifted


def by_candidate(values: Sequence[Any], order: Sequence[int]) -> list[Any]:
    """Values given place by place, in the canonical order of the candidates; `order[place]` is a canonical number."""
    return [value for _, value in sorted(zip(order, values, strict=True), key=itemgetter(0))]


def by_place(values: Sequence[Any], order: Sequence[int]) -> list[Any]:
    """Values in canonical order, place by place."""
    return [values[index] for index in order]
