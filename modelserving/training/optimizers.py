"""The optimizer of a turn, with its schedule: how gradients become steps."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import nn

from modelserving.training import schedules, weights
from modelserving.training.network import Turn
from modelserving.training.recipe import TrainingRecipe

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
        self._needed = sum(map(turn.taken, range(total()))) if schedules.needs_total(self.recipe) else 0

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
        rate = self.recipe.rate * schedules.factor(self.recipe, done, self._needed)
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
