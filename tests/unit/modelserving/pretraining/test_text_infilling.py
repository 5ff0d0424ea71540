"""Text infilling and sentence permutation as BART's paper has them."""

import math
from itertools import pairwise

import numpy as np
import pytest

from foundation.seeds import generator
from modelserving.pretraining.noise import Ids, draw_lengths, infill, permute_sentences

MASK = 9_999


def text(size: int) -> Ids:
    return np.arange(size, dtype=np.int32)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 10, 100, 1_022])
def test_30_percent_are_masked_and_the_rest_stands_in_its_order(size: int) -> None:
    for seed in range(30):
        inputs = infill(text(size), MASK, generator(seed))
        kept = inputs[inputs != MASK]
        assert len(kept) == size - round(0.3 * size)
        assert (np.diff(kept) > 0).all()
        assert len(inputs) <= size


def test_each_gap_has_a_mask_and_some_masks_have_no_gap() -> None:
    put_in = 0
    for seed in range(50):
        inputs = infill(text(400), MASK, generator(seed))
        at = np.flatnonzero(inputs == MASK)
        padded = np.concatenate([[-1], inputs, [400]])
        gaps = 0
        last = -1
        for before, token in pairwise(padded):
            if token != MASK:
                missing = int(token) - last - 1
                assert missing == 0 or before == MASK
                gaps += missing > 0
                last = int(token)
        assert gaps <= len(at)
        put_in += len(at) - gaps
    assert put_in / 50 == pytest.approx(math.exp(-3) * 120 / 3, rel=0.2)  # P(0) of the spans that 120 tokens make


def test_lengths_are_poissons() -> None:
    lengths = draw_lengths(60_000, np.random.default_rng(1))
    assert lengths.sum() == 60_000
    for length in range(8):
        expected = math.exp(-3) * 3**length / math.factorial(length)
        assert (lengths == length).mean() == pytest.approx(expected, abs=0.01)


def test_nothing_is_drawn_for_nothing() -> None:
    assert len(draw_lengths(0, np.random.default_rng(1))) == 0


def test_all_sentences_come_in_another_order() -> None:
    sentences = [np.array([10 * place, 10 * place + 1], dtype=np.int32) for place in range(6)]
    mixed = permute_sentences(sentences, generator(1))
    assert sorted(mixed.tolist()) == sorted(np.concatenate(sentences).tolist())
    assert (mixed[1::2] - mixed[::2] == 1).all()  # each whole
    assert mixed.tolist() != np.concatenate(sentences).tolist()
    firsts = {int(permute_sentences(sentences, generator(seed))[0]) for seed in range(100)}
    assert firsts == {0, 10, 20, 30, 40, 50}
    assert len(permute_sentences([], generator(1))) == 0


def test_equal_chance_gives_equal_masks_and_another_others() -> None:
    first, again, other = (infill(text(100), MASK, generator(1, "noise", step)).tolist() for step in (4, 4, 5))
    assert first == again != other
