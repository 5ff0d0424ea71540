"""Drawn texts: the draws against the probabilities by transformers' warpers, texts against a step by step of each."""

import numpy as np
import pytest
import torch
from support.tiny_networks import KINDS, SOURCES, batch_of, tiny
from transformers import TemperatureLogitsWarper, TopPLogitsWarper

from foundation.seeds import generator
from modelserving.nets.sampling import draw, sample
from modelserving.training.network import Network
from modelserving.training.recipe import BeamSearchOptions
from modelserving.training.tokenization import BEGIN, END, PAD

GRID = 20_000


@pytest.mark.parametrize(("temperature", "top_p"), [(1.0, 1.0), (0.5, 1.0), (2.0, 0.7), (1.0, 0.9), (0.7, 0.3)])
def test_words_are_drawn_as_often_as_transformers_says_they_are_likely(temperature: float, top_p: float) -> None:
    torch.manual_seed(1)
    scores = torch.log_softmax(2 * torch.randn(12, dtype=torch.float64), dim=-1)
    scores[3] = float("-inf")
    warped = TopPLogitsWarper(top_p)(None, TemperatureLogitsWarper(temperature)(None, scores.unsqueeze(0)))
    chances = (torch.arange(GRID, dtype=torch.float64) + 0.5) / GRID
    words = draw(scores.expand(GRID, -1), chances, temperature, top_p)
    often = torch.bincount(words, minlength=12) / GRID
    torch.testing.assert_close(often.double(), torch.softmax(warped[0], dim=-1), rtol=0, atol=2 / GRID)


def drawn(network: Network, source: list[int], options: BeamSearchOptions) -> tuple[list[int], float]:
    """A text by its own draws, a step at a time, in NumPy."""
    memory, state = network.start(batch_of([source]))
    chance = generator(options.seed, "sample", *source)
    last, words, total = BEGIN, list[int](), 0.0
    while True:
        scores, _, state = network.step(memory, state, torch.tensor([last]))
        scores[0, [PAD, BEGIN]] = float("-inf")
        if len(words) == options.limit(len(source)):
            scores[0, [word for word in range(len(scores[0])) if word != END]] = float("-inf")
        shares = np.exp(scores[0].double().numpy() / options.temperature)
        order = np.argsort(-shares, kind="stable")
        sums = np.cumsum(shares[order] / shares.sum())
        kept = order[: int(np.searchsorted(sums, options.top_p)) + 1]
        last = int(kept[np.searchsorted(np.cumsum(shares[kept] / shares[kept].sum()), chance.random(), side="right")])
        total += float(scores[0, last])
        if last == END:
            return words, total
        words.append(last)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("temperature", "top_p"), [(2.0, 1.0), (4.0, 0.8)])
@torch.inference_mode()
def test_a_text_is_drawn_by_its_own_draws_whatever_stands_beside_it(
    kind: str, temperature: float, top_p: float
) -> None:
    network = tiny(kind, seed=2)
    texts = set()
    for seed in range(6):
        options = BeamSearchOptions(
            sample=True, temperature=temperature, top_p=top_p, seed=seed, longest=8, replace_unknown=False
        )
        together = sample(network, batch_of(SOURCES), options)
        turned = sample(network, batch_of([*SOURCES[::-1], [4, 4, 4, 4, 4, 4, 4]]), options)
        assert [one[:2] for one in together] == [one[:2] for one in turned[3::-1]]
        for source, found in zip(SOURCES, together, strict=True):
            ids, score = drawn(network, source, options)
            assert found.ids == ids
            assert found.score == pytest.approx(score, rel=1e-4)
            texts.add((tuple(source), tuple(ids)))
    assert len(texts) > 2 * len(SOURCES)  # another seed, another text


@torch.inference_mode()
def test_what_is_drawn_keeps_to_the_same_rules_as_what_is_searched_for() -> None:
    options = BeamSearchOptions(sample=True, temperature=3.0, shortest=3, longest=3, no_repeat=1)
    for found in sample(tiny("no attention", seed=3), batch_of(SOURCES), options):
        assert len(found.ids) == len(set(found.ids)) == 2  # an unknown word, which nothing could replace, is the third
    options = BeamSearchOptions(sample=True, temperature=3.0, shortest=3, longest=3, no_repeat=1)
    for found in sample(tiny("transformer", seed=3), batch_of(SOURCES), options):
        assert sorted(found.ids) == [1, 4, 5]
        assert all(0 <= place < 4 for place in found.places)
