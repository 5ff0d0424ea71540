"""The n-gram model, against KenLM's lmplz and its own scorer (tests/golden/foundation/README.md says how)."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from foundation.kneser_ney import END, FALLBACK, estimate

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = json.loads((ROOT / "tests/golden/foundation/kneser_ney.json").read_text(encoding="utf-8"))
CAPTIONS = ROOT.parent / "shared" / "data" / "captions"
NOUNS = "doctor patient heart lung story table cup river child nurse".split()  # noqa: SIM905
VERBS = "sees hears finds treats leaves".split()  # noqa: SIM905


def sentences(count=400, seed=5):
    """Made of a few words, so that n-grams recur; equal on every machine."""
    state, found = seed, []

    def draw(below):
        nonlocal state
        state = (state * 1103515245 + 12345) % 2**31
        return (state >> 16) % below

    def noun():
        return NOUNS[min(draw(10), draw(10))]  # the first ones more often

    for _ in range(count):
        words = ["the", noun(), VERBS[min(draw(5), draw(5))], ("the", "a", "no")[draw(3)], noun()]
        if draw(3) == 0:
            words += ["of", "the", noun()]
        if draw(4) == 0:
            words += ["and", "stops"]
        found.append([*words, f"n{draw(150)}"] if draw(9) == 0 else words)
    return found


PROBES = [
    "the doctor sees the patient".split(),  # noqa: SIM905
    "a nurse leaves the river and stops".split(),  # noqa: SIM905
    "the unheard doctor treats no zebra".split(),  # noqa: SIM905
    ["stops"],
    [],
]


@pytest.mark.parametrize("order", [2, 3, 4, 5])
def test_gives_the_probabilities_of_lmplz(order):
    model = estimate(sentences(), order)
    expected = GOLDEN["orders"][str(order)]
    for found, wanted in zip(model.logprobs(PROBES), expected["probes"], strict=True):
        assert found / math.log(10) == pytest.approx(wanted, abs=2e-6)
    assert [len(table.keys) for table in model.tables] == expected["sizes"]


def test_falls_back_on_the_discounts_of_lmplz_where_there_is_little():
    model = estimate(sentences(4), 3)
    assert FALLBACK in model.discounts
    for found, wanted in zip(model.logprobs(PROBES), GOLDEN["few"]["probes"], strict=True):
        assert found / math.log(10) == pytest.approx(wanted, abs=2e-6)


def test_gives_the_probabilities_of_lmplz_on_captions():
    if not CAPTIONS.is_dir():
        pytest.skip(f"the captions are not at {CAPTIONS}")
    train, test = (
        [
            words
            for side in "01"
            for line in (CAPTIONS / f"sentiment.{part}.{side}").read_text("utf-8", "replace").split("\n")
            if (words := line.split())
        ]
        for part in ("train", "test")
    )
    for order, wanted in GOLDEN["captions"].items():
        total = sum(each.sum() for each in estimate(train, int(order)).logprobs(test))
        assert total / math.log(10) == pytest.approx(wanted, abs=2e-2)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_what_may_follow_sums_to_one(order):
    model = estimate(sentences(), order)
    following = [word for word in model.words if word not in ("<s>", "</s>")] + [END]
    for context in ([], ["the"], ["the", "doctor"], ["zebra"], ["no", "zebra"]):
        state = model.start
        for word in context:
            _, state = model.step(state, word)
        assert sum(math.exp(model.step(state, word)[0]) for word in following) == pytest.approx(1)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_a_step_at_a_time_is_the_same(order):
    model = estimate(sentences(), order)
    for words, expected in zip(PROBES, model.logprobs(PROBES), strict=True):
        state, found = model.start, []
        for word in [*words, END]:
            logprob, state = model.step(state, word)
            found.append(logprob)
            assert len(state) <= max(1, order - 1)
        assert found == pytest.approx(expected.tolist())
        assert model.logprob(words) == pytest.approx(expected.sum())


def test_a_state_forgets_what_the_model_does_not_know():
    model = estimate(sentences(), 4)
    _, one = model.step(model.step(model.start, "the")[1], "zebra")
    _, other = model.step(model.step(model.start, "stops")[1], "quagga")
    assert one == other


def test_words_that_look_like_marks_are_unknown():
    model = estimate([["a", "<s>", "b"], ["a", "</s>"]], 2)
    assert model.unknown(["<s>", "</s>", "<unk>", "a", "c"]) == 4
    assert np.isfinite(model.logprob(["<s>", "</s>"]))


def test_takes_nothing_and_empty_sentences():
    assert estimate([], 3).logprobs([]) == []
    assert np.isfinite(estimate([], 3).logprob(["a"]))
    assert np.isfinite(estimate([[]], 2).logprob([]))


def test_more_context_tells_more():
    train, test = sentences()[:300], sentences()[300:]
    losses = [-sum(each.sum() for each in estimate(train, order).logprobs(test)) for order in (1, 2)]
    assert losses[1] < losses[0]
