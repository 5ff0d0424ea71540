"""Losses of several parts of a batch, and their gradients, as if they came of the whole."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from modelserving.training.network import Loss, Turn


@dataclass
class Totals:
    """What each loss came to over all batches and processes."""

    names: list[str] = field(default_factory=list)
    totals: list[float] = field(default_factory=list)
    counts: list[float] = field(default_factory=list)


class LossSums:
    """Losses and their gradients summed up, each loss divided by what it counts in the first part.

    A division by all that it counts would need all parts beforehand; `divide` makes it so. `several` parts may stand
    in another proportion in each loss, so their gradients stay apart until then.
    """

    def __init__(self, turn: Turn, several: bool) -> None:
        self.parameters = list(turn.parameters)
        self.found = Totals()
        self.overs: list[float] = []
        self._divisors: list[float] = []
        self._several = several
        self._apart: list[list[Tensor | None]] = []
        self._own = {id(parameter) for parameter in self.parameters}
        self._take([None] * len(self.parameters))

    def add(self, losses: Sequence[Loss], idle: bool) -> None:
        """The losses of a part; of an `idle` one for nothing."""
        if not self._divisors:
            self._begin(losses, idle)
        apart = self._several and len(losses) > 1
        groups = [[place] for place in range(len(losses))] if apart else self._of_equal_parameters(losses)
        for number, places in enumerate(groups):
            if apart:
                self._take(self._apart[places[0]])
            shares = [self._share(losses[place], place, idle) for place in places]
            if moved := self._moved(losses[places[0]]):
                torch.autograd.backward(shares, retain_graph=number + 1 < len(groups), inputs=moved)
            if apart:
                self._apart[places[0]] = [one.grad for one in self.parameters]
        if not idle:
            self._count(losses)

    def _of_equal_parameters(self, losses: Sequence[Loss]) -> list[list[int]]:
        """The places of losses that move the same, which go backward together: once through what they share."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for place, loss in enumerate(losses):
            groups.setdefault(tuple(map(id, self._moved(loss))), []).append(place)
        return list(groups.values())

    def _share(self, loss: Loss, place: int, idle: bool) -> Tensor:
        return loss.weight * (loss.total * 0.0 if idle else loss.total) / self._divisors[place]

    def _begin(self, losses: Sequence[Loss], idle: bool) -> None:
        self.found = Totals([loss.name for loss in losses], [0.0] * len(losses), [0.0] * len(losses))
        self.overs = [0.0] * len(losses)
        self._divisors = [1.0 if idle else max(1.0, _over(loss)) for loss in losses]
        self._apart = [[None] * len(self.parameters) for _ in losses]

    def _count(self, losses: Sequence[Loss]) -> None:
        for place, loss in enumerate(losses):
            self.found.totals[place] += loss.total.item()
            self.found.counts[place] += loss.count
            self.overs[place] += _over(loss)

    def _moved(self, loss: Loss) -> list[nn.Parameter]:
        moved = self.parameters if loss.parameters is None else loss.parameters
        return [one for one in moved if one.requires_grad and id(one) in self._own]

    def _take(self, gradients: Sequence[Tensor | None]) -> None:
        for parameter, gradient in zip(self.parameters, gradients, strict=True):
            parameter.grad = gradient

    def divide(self, overs: Sequence[float]) -> None:
        """Have the parameters' gradients be those of the losses, each divided by what it counts in all."""
        shares = [divisor / max(1.0, over) for divisor, over in zip(self._divisors, overs, strict=True)]
        if self._several and len(shares) > 1:
            for place, parameter in enumerate(self.parameters):
                parameter.grad = _weighted_sum([gradients[place] for gradients in self._apart], shares)
        elif shares[0] != 1.0:
            torch._foreach_mul_([one.grad for one in self.parameters if one.grad is not None], shares[0])


def _weighted_sum(gradients: Sequence[Tensor | None], shares: Sequence[float]) -> Tensor | None:
    there = [one * share for one, share in zip(gradients, shares, strict=True) if one is not None]
    return torch.stack(there).sum(0) if there else None


def _over(loss: Loss) -> float:
    return float(loss.count if loss.over is None else loss.over)
