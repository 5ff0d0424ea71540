"""Spans: every way to lay them is as likely as any other, and none touches another."""

from collections import Counter
from itertools import pairwise

import numpy as np

from modelserving.pretraining.noise import place_spans, replace_spans, split_evenly_at_random

DRAWS = 6_000


def test_every_sum_is_as_likely_as_any_other() -> None:
    chance = np.random.default_rng(1)
    found = Counter(tuple(split_evenly_at_random(5, 3, chance)) for _ in range(DRAWS))
    assert sorted(found) == [(1, 1, 3), (1, 2, 2), (1, 3, 1), (2, 1, 2), (2, 2, 1), (3, 1, 1)]
    assert all(abs(count - DRAWS / 6) < 5 * np.sqrt(DRAWS / 6) for count in found.values())


def test_a_sum_of_one_part_is_the_whole() -> None:
    chance = np.random.default_rng(1)
    assert split_evenly_at_random(1, 1, chance).tolist() == [1]
    assert split_evenly_at_random(7, 1, chance).tolist() == [7]
    assert split_evenly_at_random(3, 3, chance).tolist() == [1, 1, 1]


def test_spans_lie_anywhere_without_touching() -> None:
    chance = np.random.default_rng(1)
    lengths = np.array([2, 1])
    found = Counter(tuple(place_spans(lengths, 6, chance)) for _ in range(DRAWS))
    assert sorted(found) == [(0, 3), (0, 4), (0, 5), (1, 4), (1, 5), (2, 5)]  # a token at least between them
    assert all(abs(count - DRAWS / 6) < 5 * np.sqrt(DRAWS / 6) for count in found.values())


def test_spans_that_fill_a_text_have_one_place() -> None:
    lengths = np.array([1, 2, 1])
    starts = place_spans(lengths, 6, np.random.default_rng(1))
    assert starts.tolist() == [0, 2, 5]
    assert all(before + length < after for (before, after), length in zip(pairwise(starts), lengths, strict=False))


def test_a_mark_takes_the_place_of_each_span() -> None:
    ids = np.arange(1, 8, dtype=np.int32)
    made = replace_spans(ids, np.array([1, 5]), np.array([3, 1]), np.array([91, 92], dtype=np.int32))
    assert made.tolist() == [1, 91, 5, 92, 7]
