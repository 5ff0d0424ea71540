"""Updates of a network: its turns, each with its gradient and its optimizer."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from foundation.errors import UserError
from modelserving.training.gradients import Gradients, Part
from modelserving.training.loss_sums import Totals
from modelserving.training.network import Network
from modelserving.training.optimizers import NotFinite, TurnOptimizer
from modelserving.training.position import Position
from modelserving.training.recipe import TrainingRecipe
from modelserving.training.together import raise_together


class Diverged(UserError):
    """A gradient is no finite number. `whole`: no turn of the update was taken, the state is that before it.

    It stops a training at once: no loss is scaled here, so what is not finite comes of the weights or the data, and
    the next batches would learn from weights that are as bad.
    """

    def __init__(self, batch: int, whole: bool) -> None:
        super().__init__(
            "The loss or its gradient is no finite number at batch {batch:,}: the training stopped, and the state "
            "before it is kept. A lower rate, a warmup or a shorter gradient (clip) may help.",
            batch=batch,
            where="rate",
        )
        self.whole = whole


def no_memory(device: str) -> UserError:
    """The error where memory does not do for what stays between batches: smaller parts of one would be no help."""
    return UserError(
        "The memory of {device} does not do for the network with its gradients and its optimizer's "
        "state: make the network smaller, or give it more memory; a smaller 'batch' or a lower "
        "'longest' leave it a little more.",
        device=device,
        where="train",
    )


class Updates:
    """`total` says how many a whole training has at most."""

    def __init__(self, net: Network, gradients: Gradients, recipe: TrainingRecipe, total: Callable[[], int]) -> None:
        self.net, self.gradients = net, gradients
        self.optimizers = [TurnOptimizer(turn, recipe, total) for turn in net.turns()]

    def take(self, parts: Sequence[Part], position: Position) -> None:
        """One update, by the losses of the parts; the position moves on."""
        self.tell(position)
        due = [optimizer for optimizer in self.optimizers if optimizer.turn.taken(position.updates)]
        for optimizer in due:
            self._turn(optimizer, parts, position, first=optimizer is due[0])
        position.updates += 1
        position.step += len(parts)
        position.batch += len(parts)

    def tell(self, position: Position) -> None:
        """Tell the network how far its training has come."""
        self.net.updates, self.net.epochs = position.updates, position.epoch

    def _turn(self, optimizer: TurnOptimizer, parts: Sequence[Part], position: Position, first: bool) -> None:
        found = self.gradients.of(optimizer.turn, parts, position.step)
        finite, lacking = all(map(math.isfinite, found.totals)), None
        try:
            if finite:
                optimizer.step(optimizer.steps_before(position.updates))
        except NotFinite:
            finite = False
        except torch.OutOfMemoryError:
            lacking = no_memory(self.gradients.device)
        raise_together(self.gradients.group, lacking, self.gradients.device)
        if not finite:
            raise Diverged(position.step + 1, whole=first)
        _count(found, position)

    def write(self, folder: Path) -> None:
        for optimizer in self.optimizers:
            optimizer.write(folder, self.net)

    def read(self, folder: Path) -> None:
        for optimizer in self.optimizers:
            optimizer.read(folder, self.net)


def _count(found: Totals, position: Position) -> None:
    for name, total, count in zip(found.names, found.totals, found.counts, strict=True):
        position.sums[name] = position.sums.get(name, 0.0) + total
        position.counts[name] = position.counts.get(name, 0.0) + count
