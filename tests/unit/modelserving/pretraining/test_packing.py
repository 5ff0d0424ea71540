"""Packing: no token is lost, no piece is too long, and a sentence is cut only where it must be."""

import numpy as np

from modelserving.pretraining.noise import apart, pack

TEXTS = [[[1, 2], [3]], [[4, 5, 6]], [], [[]], [[7, 8, 9, 10, 11, 12]], [[13]]]


def test_neighbours_come_into_one_piece() -> None:
    assert list(pack(TEXTS, 4)) == [[[1, 2], [3]], [[4, 5, 6]], [[7, 8, 9, 10]], [[11, 12], [13]]]
    assert list(pack(TEXTS, 100)) == [[[1, 2], [3], [4, 5, 6], [7, 8, 9, 10, 11, 12], [13]]]


def test_texts_that_stand_apart_share_no_piece() -> None:
    assert list(apart(TEXTS, 4)) == [[[1, 2], [3]], [[4, 5, 6]], [[7, 8, 9, 10]], [[11, 12]], [[13]]]


def test_no_token_is_lost_and_no_piece_is_too_long() -> None:
    chance = np.random.default_rng(1)
    texts = [[list(range(chance.integers(0, 30))) for _ in range(chance.integers(0, 5))] for _ in range(200)]
    for way in (pack, apart):
        pieces = list(way(texts, 12))
        flat = [token for piece in pieces for sentence in piece for token in sentence]
        assert flat == [token for text in texts for sentence in text for token in sentence]
        sizes = [sum(map(len, piece)) for piece in pieces]
        assert max(sizes) <= 12
        assert min(sizes) > 0


def test_nothing_gives_nothing() -> None:
    assert list(pack([], 4)) == []
    assert list(pack([[], [[]]], 4)) == []
