"""Every network of `modelserving.nets`, with random weights and a random batch that suits it."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch

from modelserving.nets.adversarial_simplifier import AdversarialSimplifier, SimplifierSizes
from modelserving.nets.recurrent import (
    AttentionNetwork,
    GlobalAttentionNetwork,
    NetworkWithoutAttention,
    PointerNetwork,
    SentinelNetwork,
    Shape,
)
from modelserving.nets.style_networks import AutoEncoder, MultiDecoder, Sizes, StyleEmbedding
from modelserving.nets.transformer import Transformer, TransformerSizes
from modelserving.training.batches import Batch, Batches, Rows, pad
from modelserving.training.network import Network
from modelserving.training.tokenization import UNKNOWN

FIRST_WORD = 4  # ids below it mean something else


def networks(small: bool) -> dict[str, Callable[[], Network]]:
    """The networks by their names; as large as a study has them, or `small`."""
    words, hidden, embedding = (40, 16, 12) if small else (8000, 256, 256)
    shape = Shape(words, words, embedding, hidden)
    styled = Sizes(words, embedding, hidden, style=hidden // 2)
    sizes = TransformerSizes(words, words, hidden, 2 if small else 6, 4 if small else 8, 4 * hidden, dropout=0.0)
    return {
        "attention": lambda: AttentionNetwork(shape),
        "attention, two layers": lambda: AttentionNetwork(replace(shape, layers=2)),
        "without attention": lambda: NetworkWithoutAttention(shape),
        "shared embeddings": lambda: AttentionNetwork(replace(shape, shared=True)),
        "global attention": lambda: GlobalAttentionNetwork(replace(shape, layers=2)),
        "pointer": lambda: PointerNetwork(shape),
        "sentinel": lambda: SentinelNetwork(shape),
        "auto encoder": lambda: AutoEncoder(styled),
        "multi decoder": lambda: MultiDecoder(styled),
        "style embedding": lambda: StyleEmbedding(styled),
        "adversarial simplifier": lambda: AdversarialSimplifier(SimplifierSizes(words, embedding, hidden, dropout=0.0)),
        "transformer": lambda: Transformer(sizes),
        "transformer, norm first, tied": lambda: Transformer(replace(sizes, pre_norm=True, shared=True, tied=True)),
    }


def made(build: Callable[[], Network], seed: int = 1) -> Network:
    """The network with equal weights at each call, on the CPU."""
    torch.manual_seed(seed)
    return build()


def batch(count: int, longest: int, words: int, seed: int = 1) -> Batch:
    """Pairs of texts of one word to `longest`, some unknown; with what networks that copy or know styles read."""
    chance = np.random.default_rng(seed)
    sources, targets = ([_text(chance, longest, words) for _ in range(count)] for _ in range(2))
    copied = [[words + at % 2 if one == UNKNOWN else one for at, one in enumerate(text)] for text in sources]
    found = Batch(*pad(sources), *pad(targets, end=True), styles=torch.arange(count) % 2)
    return replace(found, copied=pad(copied)[0], aimed=found.targets, copies=2)


def _text(chance: np.random.Generator, longest: int, words: int) -> list[int]:
    ids = chance.integers(FIRST_WORD, words, size=int(chance.integers(1, longest + 1)))
    ids[chance.random(len(ids)) < 0.1] = UNKNOWN
    return [int(one) for one in ids]


class RandomBatches(Batches):
    """`count` pairs made with the seed, in batches of `size`."""

    def __init__(self, count: int, size: int, longest: int, words: int, seed: int = 1) -> None:
        super().__init__(size, seed)
        self.count, self.longest, self.words = count, longest, words

    def order(self, epoch: int) -> list[Rows]:
        rows = np.random.default_rng((self.seed, epoch)).permutation(self.count)
        return [rows[at : at + self.size] for at in range(0, self.count, self.size)]

    def batch(self, rows: Rows) -> Batch:
        chances = [np.random.default_rng((self.seed, int(row))) for row in rows]
        sources, targets = ([_text(one, self.longest, self.words) for one in chances] for _ in range(2))
        return Batch(*pad(sources), *pad(targets, end=True))
