"""Trains a network that it knows nothing of: batches in, losses out, the tune score better or not.

Chance comes from the seed and the number of the batch alone, and what is kept holds weights, optimizer and position: so
a training that goes on after a kill ends as if there had been none.
"""

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch

from foundation.seeds import generator
from modelserving.training import weights
from modelserving.training.batches import Batches, Rows
from modelserving.training.callbacks import Callbacks, Sample, Stopped
from modelserving.training.network import Loss, Network
from modelserving.training.process_group import ProcessGroup
from modelserving.training.recipe import TrainingRecipe

SAY_EVERY = 20  # batches from one point of the curves to the next
POSITION, OPTIMIZER = "position.json", "optimizer.safetensors"


@dataclass
class Position:
    """Where a training is. `step` counts batches; `best` and `waited` are of tune scores, sums since the last point."""

    epoch: int = 0
    batch: int = 0
    step: int = 0
    best: float | None = None
    waited: int = 0
    done: bool = False
    sums: dict[str, float] = field(default_factory=dict)
    counts: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Validation:
    """The tune set's score: its curve, how to have it with a few samples, and whether more of it is better."""

    curve: str
    score: Callable[[], tuple[float, Sequence[Sample]]]
    higher_is_better: bool = True


class Trainer:
    """`save` writes a model that can be loaded, of the weights as they are; run() leaves the network at its best."""

    def __init__(
        self,
        net: Network,
        batches: Batches,
        recipe: TrainingRecipe,
        callbacks: Callbacks,
        save: Callable[[Path], None],
        validation: Validation | None = None,
        group: ProcessGroup | None = None,
        device: str = "cpu",
    ) -> None:
        self.net = net.to(device)
        self.batches, self.recipe, self.callbacks, self.save = batches, recipe, callbacks, save
        self.validation, self.group, self.device = validation, group or ProcessGroup(), device
        self.parameters = [parameter for parameter in net.parameters() if parameter.requires_grad]
        self.optimizer = optimizer_of(self.parameters, recipe)
        self.position = Position()
        self._begun = time.monotonic()

    def run(self) -> None:
        self._resume()
        try:
            while not self.position.done:
                self._epoch()
        except Stopped:
            self._keep_last()
            raise
        best = self.callbacks.kept("best")
        if best is not None:
            weights.read_network(best / weights.FILE, self.net)
        self.net.eval()

    def _epoch(self) -> None:
        order = self.batches.order(self.position.epoch)
        total = len(order) * self.recipe.epochs
        for rows in order[self.position.batch :]:
            self._stop_if_asked(total)
            self._step(rows)
            self._after(len(order))
            if self.position.done:
                return

    def _stop_if_asked(self, total: int) -> None:
        """Raises Stopped in every process where the first one is told to."""
        stopped: Stopped | None = None
        if self.group.first:
            try:
                self.callbacks.at(self.position.step, total)
            except Stopped as asked:
                stopped = asked
        if self.group.sum([float(stopped is not None)], self.device)[0]:
            raise stopped or Stopped

    def _step(self, rows: Rows) -> None:
        torch.manual_seed(
            seed_of(self.callbacks.seed, "batch", self.position.step, *([self.group.rank] if self.group.rank else []))
        )
        self.net.train()
        self.optimizer.zero_grad(set_to_none=True)
        losses = self._losses(rows)
        counts = self.group.sum([float(one.count) for one in losses], self.device)
        overs = self.group.sum([float(one.count if one.over is None else one.over) for one in losses], self.device)
        for place, (loss, over) in enumerate(zip(losses, overs, strict=True)):
            share = loss.weight * loss.total / over
            torch.autograd.backward(share, retain_graph=place + 1 < len(losses), inputs=self._moved(loss))
        self.group.sum_gradients(self.parameters)
        if self.recipe.clip:
            torch.nn.utils.clip_grad_norm_(self.parameters, self.recipe.clip)
        self.optimizer.step()
        self._count(losses, counts)

    def _losses(self, rows: Rows) -> list[Loss]:
        """Of this process's part of the rows; where there are fewer rows than processes, of one row for nothing."""
        mine = rows[self.group.rank :: self.group.size]
        batch = self.batches.batch(mine if len(mine) else rows[:1]).to(self.device)
        with autocast(self.device):
            losses = self.net.losses(batch)
        return losses if len(mine) else [Loss(loss.total * 0.0, 0, loss.name, loss.parameters) for loss in losses]

    def _moved(self, loss: Loss) -> Sequence[torch.nn.Parameter] | None:
        return (
            None if loss.parameters is None else [parameter for parameter in loss.parameters if parameter.requires_grad]
        )

    def _count(self, losses: list[Loss], counts: list[float]) -> None:
        totals = self.group.sum([loss.total.item() for loss in losses], self.device)
        for loss, total, count in zip(losses, totals, counts, strict=True):
            self.position.sums[loss.name] = self.position.sums.get(loss.name, 0.0) + total
            self.position.counts[loss.name] = self.position.counts.get(loss.name, 0.0) + count
        self.position.step += 1
        self.position.batch += 1

    def _after(self, batches: int) -> None:
        """What comes after a batch: points of the curves, the end of an epoch, a tune score, a kept state."""
        recipe, over = self.recipe, self.position.batch == batches
        if self.position.step % SAY_EVERY == 0 or over:
            self._say()
        if over:
            self.position.epoch, self.position.batch = self.position.epoch + 1, 0
        self.position.done = self.position.epoch == recipe.epochs
        if self.position.done or (self.position.step % recipe.tune_every == 0 if recipe.tune_every else over):
            self._validate()
            self._keep_last()
        elif self.position.step % recipe.keep_every == 0:
            self._keep_last()

    def _say(self) -> None:
        now = time.monotonic()
        if self.group.first:
            first = next(iter(self.position.counts))
            for name, total in self.position.sums.items():
                self.callbacks.point(name, self.position.step, total / max(1.0, self.position.counts[name]))
            self.callbacks.point(
                "tokens a second", self.position.step, self.position.counts[first] / max(1e-9, now - self._begun)
            )
        self.position.sums, self.position.counts, self._begun = {}, {}, now

    def _validate(self) -> None:
        """Score the tune set; keep the best. Without one the last weights are the best."""
        if self.validation is None:
            self._keep_best()
            return
        self.net.eval()
        value = self._dev_score(self.validation)
        self._begun = time.monotonic()
        best = self.position.best
        if best is None or (value > best if self.validation.higher_is_better else value < best):
            self.position.best, self.position.waited = value, 0
            self._keep_best()
        else:
            self.position.waited += 1
            self.position.done |= 0 < self.recipe.patience <= self.position.waited

    def _dev_score(self, validation: Validation) -> float:
        value = 0.0
        if self.group.first:
            value, samples = validation.score()
            value = value if math.isfinite(value) else (-math.inf if validation.higher_is_better else math.inf)
            self.callbacks.score(
                validation.curve, self.position.step, value, higher_is_better=validation.higher_is_better
            )
            self.callbacks.samples(self.position.step, samples)
            end = "higher" if validation.higher_is_better else "lower"
            name = validation.curve.replace("_", " ")
            self.callbacks.say(
                f"Epoch {self.position.epoch}, batch {self.position.step}: {name} {value:.4g} ({end} is better)"
            )
        return self.group.sum([value], self.device)[0]

    def _keep_best(self) -> None:
        if self.group.first:
            self.callbacks.keep("best", self.save)
        self.group.wait()

    def _keep_last(self) -> None:
        if self.group.first:
            self.callbacks.keep("last", self._write)
        self.group.wait()

    def _write(self, folder: Path) -> None:
        self.save(folder)
        weights.write_optimizer(folder / OPTIMIZER, self.net, self.optimizer)
        (folder / POSITION).write_text(json.dumps(asdict(self.position)), encoding="utf-8")

    def _resume(self) -> None:
        """Go on from what was kept."""
        last = self.callbacks.kept("last")
        if last is None:
            return
        weights.read_network(last / weights.FILE, self.net)
        weights.read_optimizer(last / OPTIMIZER, self.net, self.optimizer)
        self.position = Position(**json.loads((last / POSITION).read_text(encoding="utf-8")))


def optimizer_of(parameters: Sequence[torch.nn.Parameter], recipe: TrainingRecipe) -> torch.optim.Optimizer:
    """Adadelta is Zeiler's (2012) with rho 0.95 and eps 1e-6."""
    if recipe.optimizer == "adadelta":
        return torch.optim.Adadelta(parameters, lr=recipe.rate, rho=0.95, eps=1e-6)
    if recipe.optimizer == "sgd":
        return torch.optim.SGD(parameters, lr=recipe.rate)
    return torch.optim.Adam(parameters, lr=recipe.rate, fused=True)


def autocast(device: str) -> AbstractContextManager[object]:
    """bfloat16 on a GPU, float32 elsewhere."""
    return torch.autocast("cuda", dtype=torch.bfloat16) if device.startswith("cuda") else nullcontext()


def seed_of(seed: int, *path: object) -> int:
    return int(generator(seed, *path).integers(2**63 - 1))


def epochs(batches: Batches, most: int) -> Iterator[Rows]:
    """The batches of `most` epochs, one after the other: for measuring."""
    for epoch in range(most):
        yield from batches.order(epoch)
