"""Span corruption as T5's paper has it: how much is dropped, and that the text can be had back from what is left."""

import numpy as np
import pytest

from foundation.seeds import generator
from modelserving.pretraining.noise import Ids, corrupt_spans

SENTINELS = np.arange(32_099, 31_999, -1, dtype=np.int32)  # T5's: <extra_id_0> is the last of its vocabulary


def text(size: int) -> Ids:
    return np.random.default_rng(size).integers(3, 32_000, size).astype(np.int32)


def spans_in(targets: Ids) -> tuple[dict[int, list[int]], int]:
    """What stands behind each sentinel, and the sentinel at the end."""
    spans: dict[int, list[int]] = {}
    for token in targets[:-1].tolist():
        if token in SENTINELS:
            last = token
            spans[last] = []
        else:
            spans[last].append(token)
    return spans, int(targets[-1])


@pytest.mark.parametrize("size", [2, 3, 5, 7, 20, 100, 568, 4_000])
def test_inputs_and_targets_give_the_text_back(size: int) -> None:
    ids = text(size)
    for seed in range(20):
        inputs, targets = corrupt_spans(ids, SENTINELS, generator(seed))
        spans, last = spans_in(targets)
        back = [one for token in inputs.tolist() for one in spans.get(token, [token])]
        assert back == ids.tolist()
        assert [token for token in inputs if token in SENTINELS] == list(spans) == SENTINELS[: len(spans)].tolist()
        assert last == SENTINELS[len(spans)]
        assert all(spans.values())


def test_a_text_of_568_tokens_has_the_lengths_of_the_papers_program() -> None:
    # T5's `random_spans_helper` finds 568 tokens for 512 of inputs and 114 of targets, END counted. Its targets
    # lack the last sentinel, which the paper's text and figure 2 have.
    inputs, targets = corrupt_spans(text(568), SENTINELS, generator(1))
    assert (len(inputs) + 1, len(targets) + 1) == (512, 114 + 1)


def test_15_percent_are_dropped_in_spans_of_3_tokens() -> None:
    for size, dropped, spans in [(512, 77, 26), (100, 15, 5), (20, 3, 1), (1_000, 150, 50)]:
        inputs, targets = corrupt_spans(text(size), SENTINELS, generator(3))
        assert len(targets) == dropped + spans + 1
        assert len(inputs) == size - dropped + spans


def test_every_token_is_dropped_as_often_as_any_other() -> None:
    ids, draws = np.arange(1, 41, dtype=np.int32), 4_000
    kept = np.zeros(41)
    for seed in range(draws):
        inputs, _ = corrupt_spans(ids, SENTINELS, generator(seed))
        kept[inputs[inputs < 41]] += 1
    share = 1 - kept[1:] / draws
    assert share.mean() == pytest.approx(0.15)
    assert abs(share[3:-3] - 0.15).max() < 0.03  # at the ends fewer spans have room
    assert share.min() > 0.04


def test_there_are_no_more_spans_than_sentinels() -> None:
    inputs, targets = corrupt_spans(text(4_000), SENTINELS[:10], generator(1))
    assert len(np.intersect1d(inputs, SENTINELS)) == 9
    assert len(targets) == 600 + 10


def test_equal_chance_gives_equal_spans_and_another_others() -> None:
    ids = text(100)
    first, again, other = (corrupt_spans(ids, SENTINELS, generator(1, "noise", step))[0].tolist() for step in (4, 4, 5))
    assert first == again != other
