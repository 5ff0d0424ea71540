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
        tuning: Validation | None = None,
        group: ProcessGroup | None = None,
        device: str = "cpu",
    ) -> None:
        self.net = net.to(device)
        self.batches, self.recipe, self.callbacks, self.save = batches, recipe, callbacks, save
        self.tuning, self.group, self.device = tuning, group or ProcessGroup(), device
        self.parameters = [parameter for parameter in net.parameters() if parameter.requires_grad]
        self.optimizer = optimizer_of(self.parameters, recipe)
        self.at = Position()
        self._begun = time.monotonic()

    def run(self) -> None:
        self._take_up()
        try:
            while not self.at.done:
                self._epoch()
        except Stopped:
            self._keep_last()
            raise
        best = self.callbacks.kept("best")
        if best is not None:
            weights.read_network(best / weights.FILE, self.net)
        self.net.eval()

    def _epoch(self) -> None:
        order = self.batches.order(self.at.epoch)
        total = len(order) * self.recipe.epochs
        for rows in order[self.at.batch :]:
            self._stop_if_asked(total)
            self._step(rows)
            self._after(len(order))
            if self.at.done:
                return

    def _stop_if_asked(self, total: int) -> None:
        """Raises Stopped in every process where the first one is told to."""
        stopped: Stopped | None = None
        if self.group.first:
            try:
                self.callbacks.at(self.at.step, total)
            except Stopped as asked:
                stopped = asked
        if self.group.sum([float(stopped is not None)], self.device)[0]:
            raise stopped or Stopped

    def _step(self, rows: Rows) -> None:
        torch.manual_seed(
            seed_of(self.callbacks.seed, "batch", self.at.step, *([self.group.rank] if self.group.rank else []))
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
            self.at.sums[loss.name] = self.at.sums.get(loss.name, 0.0) + total
            self.at.counts[loss.name] = self.at.counts.get(loss.name, 0.0) + count
        self.at.step += 1
        self.at.batch += 1

    def _after(self, batches: int) -> None:
        """What comes after a batch: points of the curves, the end of an epoch, a tune score, a kept state."""
        recipe, over = self.recipe, self.at.batch == batches
        if self.at.step % SAY_EVERY == 0 or over:
            self._say()
        if over:
            self.at.epoch, self.at.batch = self.at.epoch + 1, 0
        self.at.done = self.at.epoch == recipe.epochs
        if self.at.done or (self.at.step % recipe.tune_every == 0 if recipe.tune_every else over):
            self._tune()
            self._keep_last()
        elif self.at.step % recipe.keep_every == 0:
            self._keep_last()

    def _say(self) -> None:
        now = time.monotonic()
        if self.group.first:
            first = next(iter(self.at.counts))
            for name, total in self.at.sums.items():
                self.callbacks.point(name, self.at.step, total / max(1.0, self.at.counts[name]))
            self.callbacks.point("tokens a second", self.at.step, self.at.counts[first] / max(1e-9, now - self._begun))
        self.at.sums, self.at.counts, self._begun = {}, {}, now

    def _tune(self) -> None:
        """Score the tune set; keep the best. Without one the last weights are the best."""
        if self.tuning is None:
            self._keep_best()
            return
        self.net.eval()
        value = self._tuned(self.tuning)
        self._begun = time.monotonic()
        best = self.at.best
        if best is None or (value > best if self.tuning.higher_is_better else value < best):
            self.at.best, self.at.waited = value, 0
            self._keep_best()
        else:
            self.at.waited += 1
            self.at.done |= 0 < self.recipe.patience <= self.at.waited

    def _tuned(self, tuning: Validation) -> float:
        value = 0.0
        if self.group.first:
            value, samples = tuning.score()
            value = value if math.isfinite(value) else (-math.inf if tuning.higher_is_better else math.inf)
            self.callbacks.score(tuning.curve, self.at.step, value, higher_is_better=tuning.higher_is_better)
            self.callbacks.samples(self.at.step, samples)
            end = "higher" if tuning.higher_is_better else "lower"
            name = tuning.curve.replace("_", " ")
            self.callbacks.say(f"Epoch {self.at.epoch}, batch {self.at.step}: {name} {value:.4g} ({end} is better)")
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
        (folder / POSITION).write_text(json.dumps(asdict(self.at)), encoding="utf-8")

    def _take_up(self) -> None:
        """Go on from what was kept."""
        last = self.callbacks.kept("last")
        if last is None:
            return
        weights.read_network(last / weights.FILE, self.net)
        weights.read_optimizer(last / OPTIMIZER, self.net, self.optimizer)
        self.at = Position(**json.loads((last / POSITION).read_text(encoding="utf-8")))


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
