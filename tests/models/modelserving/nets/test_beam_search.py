"""Beam search against trying every text, over a vocabulary of three words."""

import math
from itertools import product

import pytest
import torch
from torch import Tensor

from modelserving.nets.beam_search import Hypothesis, beam_search, length_batches
from modelserving.nets.recurrent import AttentionNetwork, NetworkWithoutAttention, Shape
from modelserving.training.batches import Batch, pad
from modelserving.training.network import Loss, Network, Start, Step, Tensors
from modelserving.training.recipe import BeamSearchOptions
from modelserving.training.tokenization import BEGIN, END, UNKNOWN

SOURCES = [[4, 5, 6, 4], [6], [5, 5], [4, 6, 1]]
WORDS = [UNKNOWN, 4, 5]
ALL = 100  # more hypotheses than there are texts of at most three words


def net(kind: type[AttentionNetwork] | type[NetworkWithoutAttention] = AttentionNetwork, seed: int = 0) -> Network:
    torch.manual_seed(seed)
    made = kind(Shape(7, 6, 4, 5)).eval()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=1.5)
    return made


def batch_of(sources: list[list[int]]) -> Batch:
    return Batch(*pad(sources))


def score_of(network: Network, source: list[int], words: tuple[int, ...], options: BeamSearchOptions) -> float:
    """By the formula, a step at a time, of one text alone."""
    memory, state = network.start(batch_of([source]))
    total, covered, last = 0.0, torch.zeros(len(source)), BEGIN
    for word in (*words, END):
        scores, attention, state = network.step(memory, state, torch.tensor([last]))
        total += float(scores[0, word])
        last = word
        if attention is not None:
            covered += attention[0]
    penalty = sum(math.log(min(float(one), 1.0)) for one in covered) if network.attends else 0.0
    return total / ((5 + len(words) + 1) / 6) ** options.length_penalty + options.coverage_penalty * penalty


def best_of_all(
    network: Network, source: list[int], options: BeamSearchOptions, words: list[int] = WORDS
) -> tuple[int, ...]:
    texts = [text for size in range(options.longest + 1) for text in product(words, repeat=size)]
    return max(texts, key=lambda text: score_of(network, source, text, options))


@pytest.mark.parametrize(("length", "coverage"), [(0.0, 0.0), (1.0, 0.0), (3.0, 0.0), (0.0, 0.5), (2.0, 1.0)])
@pytest.mark.parametrize("seed", [0, 1, 2])
@torch.inference_mode()
def test_a_wide_beam_finds_the_best_text_of_all(seed: int, length: float, coverage: float) -> None:
    network = net(seed=seed)
    options = BeamSearchOptions(beam=ALL, length_penalty=length, coverage_penalty=coverage, longest=3)
    for source, found in zip(SOURCES, beam_search(network, batch_of(SOURCES), options), strict=True):
        assert tuple(found.ids) == best_of_all(network, source, options)
        assert found.score == pytest.approx(score_of(network, source, tuple(found.ids), options), rel=1e-4)


@torch.inference_mode()
def test_a_beam_of_one_takes_the_likeliest_word_each_time() -> None:
    network, options = net(seed=3), BeamSearchOptions(beam=1, longest=12)
    for source, found in zip(SOURCES, beam_search(network, batch_of(SOURCES), options), strict=True):
        memory, state = network.start(batch_of([source]))
        last, words, places = BEGIN, list[int](), list[int]()
        while len(words) < options.longest:
            scores, attention, state = network.step(memory, state, torch.tensor([last]))
            scores[0, [0, BEGIN]] = -math.inf
            last = int(scores[0].argmax())
            if last == END:
                break
            words.append(last)
            assert attention is not None
            places.append(int(attention[0].argmax()))
        assert (found.ids, found.places) == (words, places)


class _Sure(Network):
    """Writes five words, almost surely; what goes another way has its end next, almost surely."""

    attends = False

    def losses(self, batch: Batch) -> list[Loss]:
        return []

    def start(self, batch: Batch) -> Start:
        return Start({}, {"written": torch.zeros(len(batch), dtype=torch.int64)})

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        written = torch.where((last == 4) | (last == BEGIN), state["written"], 5)
        scores = torch.full((len(last), 7), -20.0)
        scores[:, 5] = torch.where(written < 5, -9.0, -20.0)
        scores[range(len(last)), torch.where(written < 5, 4, END)] = -1e-6
        return Step(scores, None, {"written": written + 1})


@pytest.mark.parametrize("beam", [1, 2, 3, 5])
def test_texts_that_nobody_would_write_do_not_end_the_search(beam: int) -> None:
    for found in beam_search(_Sure(), batch_of(SOURCES), BeamSearchOptions(beam=beam, longest=12)):
        assert found.ids == [4] * 5


@pytest.mark.parametrize("beam", [1, 3, 5])
def test_a_text_does_not_depend_on_those_beside_it(beam: int) -> None:
    network, options = net(seed=4), BeamSearchOptions(beam=beam, length_penalty=1.0, coverage_penalty=0.2)
    together = beam_search(network, batch_of(SOURCES), options)
    for source, found in zip(SOURCES, together, strict=True):
        (alone,) = beam_search(network, batch_of([source]), options)
        assert (found.ids, found.places) == (alone.ids, alone.places)


@torch.inference_mode()
def test_without_attention_an_unknown_word_is_never_written_if_it_should_be_replaced() -> None:
    network = net(NetworkWithoutAttention, seed=5)
    replacing = BeamSearchOptions(beam=ALL, longest=3)
    keeping = BeamSearchOptions(beam=ALL, longest=3, replace_unknown=False)
    for source, avoided, kept in zip(
        SOURCES, *(beam_search(network, batch_of(SOURCES), options) for options in (replacing, keeping)), strict=True
    ):
        assert tuple(avoided.ids) == best_of_all(network, source, replacing, words=[4, 5])
        assert tuple(kept.ids) == best_of_all(network, source, keeping)
        assert set(avoided.places) <= {-1}


def test_a_text_ends_at_its_limit() -> None:
    for found in beam_search(net(seed=6), batch_of(SOURCES), BeamSearchOptions(beam=2, longest=2, length_penalty=5)):
        assert isinstance(found, Hypothesis)
        assert len(found.ids) <= 2
        assert math.isfinite(found.score)


def test_batches_hold_texts_of_about_one_length_within_bounds() -> None:
    lengths = [5, 1, 2000, 3, 3, 40, 2, 1]
    batches = [list(map(int, each)) for each in length_batches(lengths, most=3, words=100)]
    assert sorted(place for each in batches for place in each) == list(range(8))
    assert [[lengths[place] for place in each] for each in batches] == [[1, 1, 2], [3, 3, 5], [40], [2000]]
