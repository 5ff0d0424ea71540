"""The compiled language model is the one of kneser_ney."""

import numpy as np
import pytest

from foundation import seeds
from foundation.errors import UserError
from foundation.kneser_ney import END, Model, Table, estimate
from modelserving.phrase_based.ngram_scores import alone, check, ending, ngrams, number, start, step
from modelserving.phrase_based.phrase_table import read_only

WORDS = list("abcdef")


def sentences(count: int) -> list[list[str]]:
    chance = seeds.generator(1, "sentences")
    return [
        list(chance.choice(WORDS, int(chance.integers(0, 9)), p=[0.4, 0.25, 0.15, 0.1, 0.05, 0.05]))
        for _ in range(count)
    ]


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_steps_are_those_of_the_model(order):
    model = estimate(sentences(60), order)
    grams = ngrams(model)
    for sentence in [*sentences(20), ["a", "new", "b"], ["<s>", "a"]]:
        state, before, after = model.start, start(grams), start(grams)
        for word in sentence:
            expected, state = model.step(state, word)
            assert step(grams, before, number(model, word), after) == pytest.approx(expected, abs=1e-5)
            before, after = after, before
        assert ending(grams, before, after) == pytest.approx(model.step(state, END)[0], abs=1e-5)


def test_states_are_no_longer_than_what_goes_on():
    model = estimate([["a", "b", "c"], ["a", "b", "c"]], 5)
    grams = ngrams(model)
    before, after = start(grams), start(grams)
    for word in "abc":
        step(grams, before, number(model, word), after)
        before, after = after, before
    step(grams, before, number(model, "a"), after)
    assert sum(after >= 0) == 1  # "c a" was never seen, so only "a" goes on


def test_words_alone_have_nothing_before_them():
    model = estimate(sentences(60), 3)
    words = np.array([number(model, word) for word in ("a", "b", "a")], dtype=np.int32)
    found = alone(ngrams(model), words, read_only(np.array([0, 1, 3])))
    (_, state), expected = model.step((), "b"), model.step((), "b")[0]
    assert found.tolist() == pytest.approx([model.step((), "a")[0], expected + model.step(state, "a")[0]], abs=1e-5)


def test_a_broken_model_is_refused():
    model = estimate(sentences(5), 2)
    low, high = model.tables
    with pytest.raises(UserError, match="language model is broken"):
        check(Model(model.words, [low, Table(high.keys + 10**6, high.logprob, high.backoff)]))
    with pytest.raises(UserError, match="language model is broken"):
        check(Model(model.words, []))
    with pytest.raises(UserError, match="language model is broken"):
        check(Model(model.words | {"far": 10**6}, [low, high]))
    check(model)
