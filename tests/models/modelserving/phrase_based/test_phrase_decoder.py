"""The decoder finds what trying everything finds, and says what its scores are made of."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from foundation.errors import UserError
from foundation.kneser_ney import estimate
from modelserving.phrase_based.decoder import Decoder
from modelserving.phrase_based.phrase_table import START, DecoderOptions
from tests.factories.phrases import every_way, phrase_table, random_table

WHOLE = {"stack": 1000, "options": 1000, "cells": 20_000, "threshold": 0.0}
SENTENCES = ["a b c d", "d c e a", "e", "a a b e c", "b d", "c d a b"]


@pytest.mark.parametrize("lexicalized", [False, True])
@pytest.mark.parametrize("reach", [0, 1, 2, 6])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_finds_what_trying_everything_finds(lexicalized, reach, seed):
    """In which no two derivations are ever joined: so joining those of equal futures loses nothing."""
    entries, model, weights = random_table(seed, lexicalized=lexicalized)
    decoder = Decoder(phrase_table(entries), model, weights, DecoderOptions(distortion=reach, **WHOLE))
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
    decoder = Decoder(phrase_table(entries), model, weights, DecoderOptions(**WHOLE))
    words = ["a", "b", "e", "c", "d"]
    ways = {(said, tuple(features.round(3))) for said, features in every_way(words, entries, model, 6)}
    for one in decoder.nbest(words, 20):
        assert one.score == pytest.approx(one.features @ weights)
        near = [features for said, features in ways if said == one.words]
        assert min(np.abs(np.array(near) - one.features).max(axis=1)) < 2e-3


CHAT = phrase_table(
    [
        ("wat", "what", (-0.3, -0.3, -0.1, -0.1), ()),
        ("r", "are", (-0.2, -0.2, -0.1, -0.1), ()),
        ("r", "is", (-1.8, -1.8, -0.5, -0.5), ()),
        ("u", "you", (-0.1, -0.1, -0.1, -0.1), ()),
        ("doin", "doing", (-0.1, -0.1, -0.1, -0.1), ()),
        ("r u", "are you", (-0.1, -0.2, -0.1, -0.2), ()),
        ("thx", "thank you", (-0.4, -0.9, -0.2, -0.4), ()),
        ("thx", "thanks", (-1.1, -1.1, -0.2, -0.2), ()),
        ("gonna", "going to", (-0.2, -0.4, -0.2, -0.3), ()),
        ("?", "?", (-0.1, -0.1, -0.1, -0.1), ()),
    ]
)
FORMAL = estimate([["what", "are", "you", "doing", "?"], ["thank", "you"], ["you", "are", "going", "to", "sleep"]], 5)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("wat r u doin ?", "what are you doing ?"),
        ("thx", "thank you"),
        ("u r gonna sleep", "you are going to sleep"),
        ("wat r u doin 🙂 ?", "what are you doing 🙂 ?"),
        ("🙂", "🙂"),
        ("", ""),
    ],
)
def test_golden_outputs(given, expected):
    assert Decoder(CHAT, FORMAL).translate(given.split()) == expected.split()


def test_phrases_say_what_became_of_which_words():
    (found,) = Decoder(CHAT, FORMAL).nbest(["u", "r", "gonna", "go"], 1)
    assert found.phrases == ((0, 0, ("you",)), (1, 1, ("are",)), (2, 2, ("going", "to")), (3, 3, ("go",)))
    assert found.features[4:6].tolist() == [4, -5]
    assert found.features[8] == -1


def test_outputs_differ_and_are_in_order():
    found = Decoder(CHAT, FORMAL).nbest(["thx", "u", "r"], 100)
    assert len({one.words for one in found}) == len(found)
    assert len(found) == 4 * 2 * 3
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_a_text_of_two_thousand_words_is_taken():
    words = ["wat", "r", "u", "doin", "thx", "🙂", "zzz", "gonna"] * 250
    found = Decoder(CHAT, FORMAL).translate(words)
    assert found.count("doing") == 250
    assert found.count("🙂") == 250


def test_words_named_like_the_ends_of_a_sentence_are_words():
    assert Decoder(CHAT, FORMAL).translate(["<s>", "u", "</s>", "<unk>"]) == ["<s>", "you", "</s>", "<unk>"]


def test_a_table_without_phrases_copies():
    assert Decoder(phrase_table([]), FORMAL).translate(["wat", "u"]) == ["wat", "u"]


def test_weights_are_another_decoders():
    decoder = Decoder(CHAT, FORMAL)
    other = START.copy()
    other[5] = 3.0  # words cost
    assert decoder.weighing(other).translate(["thx"]) == ["thanks"]
    assert decoder.translate(["thx"]) == ["thank", "you"]


def test_threads_share_a_decoder():
    decoder, sentences = Decoder(CHAT, FORMAL), [["wat", "r", "u"] * n for n in range(1, 30)]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(decoder.translate, sentences)) == [decoder.translate(each) for each in sentences]


@pytest.mark.parametrize("name", ["source", "source_offsets", "target", "options", "scores"])
def test_a_broken_table_is_refused(name):
    broken = replace(CHAT, **{name: getattr(CHAT, name)[:-1]})
    with pytest.raises(UserError, match="phrase table is broken"):
        Decoder(broken, FORMAL)
    with pytest.raises(UserError, match="phrase table is broken"):
        replace(CHAT, options=CHAT.options[:0]).check()
    outside = replace(CHAT, target=CHAT.target + np.int32(len(CHAT.words)))
    with pytest.raises(UserError, match="phrase table is broken"):
        Decoder(outside, FORMAL)
