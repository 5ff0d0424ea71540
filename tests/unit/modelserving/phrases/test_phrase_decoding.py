"""The decoder finds what trying everything finds, and says what its scores are made of."""


import numpy as np
import pytest

from modelserving.phrases.decoding import Decoder, Search
from tests.factories.phrases import every_way, phrase_table, random_table

WHOLE = {"stack": 1000, "options": 1000, "cells": 20_000, "threshold": 0.0}
SENTENCES = ["a b c d", "d c e a", "e", "a a b e c", "b d", "c d a b"]


@pytest.mark.parametrize("lexicalized", [False, True])
@pytest.mark.parametrize("reach", [0, 1, 2, 6])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_finds_what_trying_everything_finds(lexicalized, reach, seed):
    entries, model, weights = random_table(seed, lexicalized=lexicalized)
    decoder = Decoder(phrase_table(entries), model, weights, Search(distortion=reach, **WHOLE))
    for sentence in SENTENCES:
        best: dict[tuple[str, ...], float] = {}
        for said, features in every_way(sentence.split(), entries, model, reach):
            best[said] = max(best.get(said, -np.inf), features @ weights)
        expected = sorted(best.values(), reverse=True)[:30]
        found = decoder.nbest(sentence.split(), 30)
        assert [one.score for one in found] == pytest.approx(expected, abs=1e-4)
        assert [best[one.words] for one in found] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("lexicalized", [False, True])
def test_scores_are_made_of_features(lexicalized):
    entries, model, weights = random_table(4, lexicalized=lexicalized)
    decoder = Decoder(phrase_table(entries), model, weights, Search(**WHOLE))
    words = ["a", "b", "e", "c", "d"]
    ways = {(said, tuple(features.round(3))) for said, features in every_way(words, entries, model, 6)}
    for one in decoder.nbest(words, 20):
        assert one.score == pytest.approx(one.features @ weights)
        near = [features for said, features in ways if said == one.words]
        assert min(np.abs(np.array(near) - one.features).max(axis=1)) < 2e-3
