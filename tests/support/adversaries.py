"""A small network of two adversaries, each with an optimizer and a schedule of its own, and batches for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from modelserving.training import tokenized_dataset, weights
from modelserving.training.batches import Batch, PairBatches
from modelserving.training.network import Loss, Network, Start, Step, Tensors, Turn, not_padding
from modelserving.training.tokenization import PAD

WORDS = 12


class Adversaries(Network):
    """A generator writes each word from the mean of the source's; a discriminator tells real words from its ones.

    The generator is learnt from words, the discriminator from words and texts, which differ in number.
    """

    def __init__(self, every: int = 2) -> None:
        super().__init__()
        self.every = every
        self.embed = nn.Embedding(WORDS, 6, padding_idx=PAD)
        self.dropout = nn.Dropout(0.2)
        self.generate = nn.Linear(6, WORDS)
        self.discriminate = nn.Sequential(nn.Linear(WORDS, 5), nn.Tanh(), nn.Linear(5, 1))

    def turns(self) -> Sequence[Turn]:
        return [
            Turn([*self.embed.parameters(), *self.generate.parameters()], changes={"schedule": "linear", "warmup": 3}),
            Turn(
                list(self.discriminate.parameters()), "discriminator",
                {"optimizer": "sgd", "rate": 0.05, "clip": 0.0}, every=self.every,
            ),
        ]  # fmt: skip

    def turn_losses(self, turn: str, batch: Batch) -> list[Loss]:
        there = not_padding(batch.targets)
        real = nn.functional.one_hot(batch.targets[there], WORDS).float()
        scores = self._scores(batch)
        made = torch.softmax(scores, dim=-1).unsqueeze(1).expand(*batch.targets.shape, WORDS)[there]
        if turn == "discriminator":
            by_text = self.discriminate(torch.softmax(scores, dim=-1).detach())
            return [
                Loss(self._told(real, 1.0) + self._told(made.detach(), 0.0), 2 * len(real), "discriminator loss"),
                Loss(by_text.square().sum(), len(batch), "drift", weight=0.1),
            ]
        aims = batch.targets[there]
        logits = scores.unsqueeze(1).expand(*batch.targets.shape, WORDS)[there]
        own = nn.functional.cross_entropy(logits, aims, reduction="sum", label_smoothing=self.label_smoothing)
        fooled = self._told(made, 1.0)
        return [Loss(own, len(aims)), Loss(fooled, len(aims), "adversarial loss", weight=0.5)]

    def losses(self, batch: Batch) -> list[Loss]:
        return self.turn_losses("", batch)

    def _scores(self, batch: Batch) -> Tensor:
        mean = self.dropout(self.embed(batch.sources)).sum(1) / batch.source_lengths.unsqueeze(1)
        found: Tensor = self.generate(mean)
        return found

    def _told(self, words: Tensor, label: float) -> Tensor:
        logits = self.discriminate(words)[:, 0]
        return nn.functional.binary_cross_entropy_with_logits(logits, torch.full_like(logits, label), reduction="sum")

    def start(self, batch: Batch) -> Start:
        return Start({}, {"scores": torch.log_softmax(self._scores(batch), dim=-1)})

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        return Step(state["scores"].clone(), None, state)


class Hungry(Adversaries):
    """Memory does not do for more than `room` texts."""

    def __init__(self, every: int = 2, room: int = 4) -> None:
        super().__init__(every)
        self.room = room

    def turn_losses(self, turn: str, batch: Batch) -> list[Loss]:
        if len(batch) > self.room and self.training:
            raise torch.OutOfMemoryError
        return super().turn_losses(turn, batch)


@dataclass
class Saved:
    """Writes a network's weights as a trainer's `save`."""

    net: nn.Module

    def __call__(self, folder: Path) -> None:
        weights.write_network(folder / weights.FILE, self.net)


def made_batches(folder: Path, size: int = 3, tokens: int = 0, rows: int = 20, seed: int = 3) -> PairBatches:
    """Pairs of 1 to 7 words by chance."""
    chance = np.random.default_rng(1)
    folder.mkdir(parents=True, exist_ok=True)
    sides = [
        [chance.integers(4, WORDS, chance.integers(1, 8)).tolist() for _ in range(rows)] for _ in ("source", "target")
    ]  # fmt: skip
    written = [tokenized_dataset.write(folder / str(place), side) for place, side in enumerate(sides)]
    return PairBatches(written[0], written[1], size, seed, tokens=tokens)
