"""Updates of a network: its turns, each with its gradient and its optimizer."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import nn

from foundation.errors import UserError
from modelserving.training import weights
from modelserving.training.gradients import Gradients, Part
from modelserving.training.loss_sums import Totals
from modelserving.training.network import Network, Turn
from modelserving.training.position import Position
from modelserving.training.recipe import TrainingRecipe
from modelserving.training.together import raise_together

# How the learning rate changes from update to update: a factor of the highest rate.


def factor(recipe: TrainingRecipe, done: int, total: int) -> float:
    """What the rate is multiplied by in an update.

    In the first `warmup` updates it rises in a line to 1. Then it stays (constant), falls as the inverse square root of
    the number of the update (Vaswani et al. 2017, section 5.3: theirs is this one with the rate (d * warmup)^-0.5), or
    falls to 0 at the end of the last epoch, in a line or as half a cosine (Loshchilov and Hutter 2017).

    Args:
        recipe: Says the schedule and the warmup.
        done: Updates before this one.
        total: Updates of the whole training, where it does not stop sooner.
    """
    if done < recipe.warmup:
        return (done + 1) / recipe.warmup
    if recipe.schedule == "inverse_sqrt":
        return math.sqrt(max(1, recipe.warmup) / (done + 1))
    gone = min(1.0, (done - recipe.warmup) / max(1, total - recipe.warmup))
    if recipe.schedule == "linear":
        return 1 - gone
    return (1 + math.cos(math.pi * gone)) / 2 if recipe.schedule == "cosine" else 1.0


def needs_total(recipe: TrainingRecipe) -> bool:
    """Whether the factor depends on how many updates there are."""
    return recipe.schedule in ("linear", "cosine")


Parameters = Sequence[nn.Parameter]


class NotFinite(Exception):
    """A gradient is infinite or not a number."""


class TurnOptimizer:
    """Moves the parameters of a turn. `total` says how many updates the whole training has at most."""

    def __init__(self, turn: Turn, recipe: TrainingRecipe, total: Callable[[], int]) -> None:
        self.turn = turn
        self.recipe = replace(recipe, **dict(turn.changes))
        self.parameters = [parameter for parameter in turn.parameters if parameter.requires_grad]
        self.optimizer = optimizer_of(self.parameters, self.recipe)
        self._counted = self._before = 0
        self._needed = sum(map(turn.taken, range(total()))) if needs_total(self.recipe) else 0

    def steps_before(self, update: int) -> int:
        """How many of the updates before that one had this turn; asked for of ever later updates."""
        self._before += sum(map(self.turn.taken, range(self._counted, update)))
        self._counted = update
        return self._before

    def step(self, done: int) -> None:
        """Take the step of the parameters' gradients, after `done` others; NotFinite where it cannot be taken."""
        norm = self._clip()
        if not torch.isfinite(norm):
            raise NotFinite
        rate = self.recipe.rate * factor(self.recipe, done, self._needed)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()

    def _clip(self) -> torch.Tensor:
        """The length of the gradient before it was shortened."""
        if self.recipe.clip:
            return nn.utils.clip_grad_norm_(self.parameters, self.recipe.clip)
        return nn.utils.get_total_norm([one.grad for one in self.parameters if one.grad is not None])

    def write(self, folder: Path, net: nn.Module) -> None:
        weights.write_optimizer(folder / self._file, net, self.optimizer)

    def read(self, folder: Path, net: nn.Module) -> None:
        weights.read_optimizer(folder / self._file, net, self.optimizer)

    @property
    def _file(self) -> str:
        return f"optimizer-{self.turn.name}.safetensors" if self.turn.name else "optimizer.safetensors"


def optimizer_of(parameters: Parameters, recipe: TrainingRecipe) -> torch.optim.Optimizer:
    """Adadelta is Zeiler's (2012) with rho 0.95 and eps 1e-6; AdamW is Loshchilov and Hutter's (2019)."""
    betas, epsilon = (0.9, recipe.adam_beta2), recipe.adam_epsilon
    if recipe.optimizer == "adadelta":
        return torch.optim.Adadelta(parameters, lr=recipe.rate, rho=0.95, eps=1e-6)
    if recipe.optimizer == "sgd":
        return torch.optim.SGD(parameters, lr=recipe.rate)
    if recipe.optimizer == "adamw":
        groups = decay_groups(parameters, recipe.decay)
        return torch.optim.AdamW(groups, lr=recipe.rate, betas=betas, eps=epsilon, fused=True)
    return torch.optim.Adam(parameters, lr=recipe.rate, betas=betas, eps=epsilon, fused=True)


def decay_groups(parameters: Parameters, decay: float) -> list[dict[str, object]]:
    """Matrices and embeddings decay; vectors, which are biases and the gains of norms, do not."""
    matrices = [parameter for parameter in parameters if parameter.ndim > 1]
    vectors = [parameter for parameter in parameters if parameter.ndim <= 1]
    groups = [{"params": matrices, "weight_decay": decay}, {"params": vectors, "weight_decay": 0.0}]
    return [group for group in groups if group["params"]]


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
