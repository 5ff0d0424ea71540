"""What may come next: against trying every text that is allowed, and against transformers' own processors."""

import pytest
import torch
from support.tiny_networks import KINDS, SOURCES, WORDS, batch_of, score_of, texts_of, tiny
from transformers import MinNewTokensLengthLogitsProcessor, NoRepeatNGramLogitsProcessor

from foundation.errors import UserError
from modelserving.nets.beam_search import LOWEST, NextWords, beam_search, forbid_repeats
from modelserving.training.recipe import BeamSearchOptions
from modelserving.training.tokenization import BEGIN, END, PAD

ALL = 400  # more hypotheses than there are texts

RULES = [(0, 1, 1.0), (3, 2, 2.0), (2, 0, 0.0), (3, 1, 0.0), (0, 2, 0.0), (4, 3, 0.0)]  # shortest, no_repeat, length


def repeats(text: tuple[int, ...], size: int) -> bool:
    runs = [text[at : at + size] for at in range(len(text) - size + 1)]
    return len(set(runs)) < len(runs)


@pytest.mark.parametrize(
    ("kind", "shortest", "no_repeat", "length"),
    [
        pytest.param(kind, *rule, marks=[] if (beside - at) % 5 == 0 else pytest.mark.soak)
        for at, kind in enumerate(KINDS)
        for beside, rule in enumerate(RULES)
    ],
)
@torch.inference_mode()
def test_a_wide_beam_finds_the_best_text_that_is_allowed(
    kind: str, shortest: int, no_repeat: int, length: float
) -> None:
    network = tiny(kind, seed=shortest)
    options = BeamSearchOptions(
        beam=ALL, longest=4, shortest=shortest, no_repeat=no_repeat, length_penalty=length, replace_unknown=False
    )
    allowed = [
        text for text in texts_of(4) if len(text) >= shortest and not (no_repeat and repeats(text, no_repeat))
    ] or [text for text in texts_of(3) if len(text) == len(WORDS) and not repeats(text, 1)]  # fmt: skip
    for source, found in zip(SOURCES, beam_search(network, batch_of(SOURCES), options), strict=True):
        best = max(allowed, key=lambda text: score_of(network, source, text, options))
        assert tuple(found.ids) == best
        assert found.score == pytest.approx(score_of(network, source, best, options), rel=1e-4)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_what_would_repeat_is_what_transformers_bans(size: int) -> None:
    chance = torch.Generator().manual_seed(size)
    theirs = NoRepeatNGramLogitsProcessor(size)
    banned = 0
    for length in range(12):
        texts = torch.randint(4, 7, (20, length), generator=chance)
        scores = torch.randn(20, 8, generator=chance)
        expected = theirs(texts, scores.clone())
        forbid_repeats(scores, texts, size)
        torch.testing.assert_close(scores, expected)
        banned += int((scores == LOWEST).sum())
    assert banned


def test_a_text_does_not_end_before_its_least_length_as_in_transformers() -> None:
    batch, shortest = batch_of(SOURCES), 3
    allowed = NextWords(tiny("attention"), batch, BeamSearchOptions(shortest=shortest, longest=9))
    theirs = MinNewTokensLengthLogitsProcessor(1, shortest, END)
    for at in range(1, 7):
        scores = torch.randn(len(SOURCES), 6)
        given = torch.cat([torch.full((len(SOURCES), 1), BEGIN), torch.full((len(SOURCES), at - 1), 4)], dim=1)
        expected = theirs(given, scores.clone())
        expected[:, [PAD, BEGIN]] = LOWEST
        torch.testing.assert_close(allowed.allow(scores, given[:, 1:], at), expected)


def test_where_nothing_else_may_come_a_text_ends() -> None:
    (found,) = beam_search(tiny("transformer"), batch_of([[4]]), BeamSearchOptions(shortest=9, longest=9, no_repeat=1))
    assert sorted(found.ids) == WORDS


def test_an_output_is_as_long_as_it_must_be_whatever_its_source() -> None:
    options = BeamSearchOptions(beam=2, shortest=30, longest=40)
    for found in beam_search(tiny("transformer", seed=1), batch_of(SOURCES), options):
        assert 30 <= len(found.ids) <= 40


def test_no_text_is_shorter_than_its_longest() -> None:
    with pytest.raises(UserError) as refused:
        BeamSearchOptions(shortest=5, longest=4)
    assert refused.value.where == "shortest"
