"""Networks over a vocabulary so small that every text can be tried, and their scores by the formula."""

import math
from collections.abc import Iterator
from itertools import product

import torch
from torch import nn

from modelserving.nets.recurrent import (
    AttentionNetwork,
    GlobalAttentionNetwork,
    NetworkWithoutAttention,
    PointerNetwork,
    Shape,
)
from modelserving.nets.transformer import Transformer, TransformerSizes
from modelserving.training.batches import Batch, pad
from modelserving.training.network import Network
from modelserving.training.recipe import BeamSearchOptions
from modelserving.training.tokenization import BEGIN, END, UNKNOWN

SOURCES = [[4, 5, 5, 4], [5], [5, 5], [4, 5, 1]]
WORDS = [UNKNOWN, 4, 5]
KNOWN = 6
KINDS = {
    "attention": lambda: AttentionNetwork(Shape(KNOWN, KNOWN, 4, 5)),
    "no attention": lambda: NetworkWithoutAttention(Shape(KNOWN, KNOWN, 4, 5)),
    "global attention": lambda: GlobalAttentionNetwork(Shape(KNOWN, KNOWN, 4, 5, layers=2)),
    "pointer": lambda: PointerNetwork(Shape(KNOWN, KNOWN, 4, 5)),
    "transformer": lambda: Transformer(TransformerSizes(KNOWN, KNOWN, 4, 2, 2, 6, 0.0)),
}


def tiny(kind: str, seed: int = 0) -> Network:
    """A network with large weights by chance, so that its texts differ."""
    torch.manual_seed(seed)
    made = KINDS[kind]().eval()
    for parameter in made.parameters():
        nn.init.normal_(parameter, std=1.2)
    return made


def batch_of(sources: list[list[int]]) -> Batch:
    """They know all words, so that nothing is copied that the vocabulary has not."""
    ids, lengths = pad(sources)
    return Batch(ids, lengths, copied=ids, copies=0)


def texts_of(longest: int, words: list[int] = WORDS) -> Iterator[tuple[int, ...]]:
    """All texts of at most so many words."""
    for size in range(longest + 1):
        yield from product(words, repeat=size)


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
