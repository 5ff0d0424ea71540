"""A curve that stays drawable however long a training lasts: as points become many, neighbours become their mean."""

from collections.abc import Sequence

MOST = 2000  # points


class Curve:
    """Steps and values in order. A point is the mean of `stride` values, at the step of the last of them.

    A training that goes on from a kept state says again what it said since: what is there from that step on gives way.
    """

    def __init__(
        self, steps: Sequence[int] = (), values: Sequence[float] = (), stride: int = 1, *, thinned: bool = True
    ) -> None:
        self.steps, self.values, self.stride = list(steps), list(values), stride
        self.thinned = thinned
        self._waiting: list[float] = []
        self._last = self.steps[-1] if self.steps else -1

    def add(self, step: int, value: float) -> None:
        """Add what was measured at a step."""
        if step <= self._last:
            self._back_to(step)
        self._last = step
        self._waiting.append(value)
        if len(self._waiting) >= self.stride:
            self.steps.append(step)
            self.values.append(sum(self._waiting) / len(self._waiting))
            self._waiting = []
        if self.thinned and len(self.steps) > MOST:
            self._thin()

    def _back_to(self, step: int) -> None:
        self._waiting = []
        while self.steps and self.steps[-1] >= step:
            self.steps.pop()
            self.values.pop()

    def _thin(self) -> None:
        last = len(self.steps) // 2 * 2
        self._waiting = self.values[last:] * self.stride
        self.values = [(a + b) / 2 for a, b in zip(self.values[:last:2], self.values[1:last:2], strict=True)]
        self.steps = self.steps[1:last:2]
        self.stride *= 2
