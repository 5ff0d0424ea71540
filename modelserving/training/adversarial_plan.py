"""The turns of both sides of an adversarial training, and the values that change with its cycles. Without torch.

The generator is pretrained; then, in cycles, the discriminator has some updates and the generator others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from foundation.errors import UserError

Points = tuple[tuple[float, float], ...]
"""Values and the cycles at which they hold; between two of them it goes in a line."""


@dataclass(frozen=True)
class AdversarialPlan:
    """Updates of the pretraining, and of either side in a cycle; the temperature of soft words, and dropped words."""

    pretrain: int = 500
    discriminator_updates: int = 10
    generator_updates: int = 5
    temperature: Points = ((1.0, 0.0),)
    dropped: Points = ((0.0, 0.0),)

    def pretrains(self, update: int) -> bool:
        """Whether this update, from 0, is one of the pretraining."""
        return update < self.pretrain

    def discriminator(self, update: int) -> bool:
        """Whether the discriminator has its turn in this update."""
        return not self.pretrains(update) and (update - self.pretrain) % self._cycle < self.discriminator_updates

    def generator(self, update: int) -> bool:
        """Whether the generator has its turn in this update."""
        return not self.discriminator(update)

    @property
    def _cycle(self) -> int:
        return self.discriminator_updates + self.generator_updates

    def temperature_at(self, update: int) -> float:
        """The temperature; 1 in the pretraining."""
        return 1.0 if self.pretrains(update) else value_at(self.temperature, self._cycles(update))

    def dropped_at(self, update: int) -> float:
        """The share of words that are dropped from a text to be reconstructed."""
        return value_at(self.dropped, self._cycles(update))

    def _cycles(self, update: int) -> int:
        return max(0, update - self.pretrain) // self._cycle


def value_at(points: Points, cycle: float) -> float:
    """The value between points; it stays constant before the first and after the last."""
    if cycle <= points[0][1]:
        return points[0][0]
    for (value, begin), (following, end) in pairwise(points):
        if cycle < end:
            return value + (following - value) * (cycle - begin) / (end - begin)
    return points[-1][0]


def read_points(text: str, where: str, low: float, high: float) -> Points:
    """'1@0 0.5@3000' as points; '1' is 1 throughout. A UserError where it is unreadable, or a value out of bounds."""
    points = tuple(_point(part) for part in text.split())
    if not points or None in points:
        raise UserError("Expected a number, or points such as '1@0 0.5@3000': values at cycles.", where=where)
    found = tuple(point for point in points if point)
    if any(not low <= value <= high for value, _ in found):
        raise UserError("Expected values from {low:g} to {high:g}.", low=low, high=high, where=where)
    if not _rising([cycle for _, cycle in found]):
        raise UserError("Expected each point at a later cycle than the one before it.", where=where)
    return found


def _point(text: str) -> tuple[float, float] | None:
    value, _, cycle = text.partition("@")
    try:
        return float(value), float(cycle or 0)
    except ValueError:
        return None


def _rising(cycles: Sequence[float]) -> bool:
    return all(one < other for one, other in pairwise(cycles)) and cycles[0] >= 0
