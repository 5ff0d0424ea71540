"""Trains a network that it knows nothing of: batches in, losses out, the tune score better or not.

Chance comes from the seed and the number of the batch alone, and a kept state holds weights, optimizers and position:
so a training that resumes after a kill ends as if there had been none.
"""

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import torch
from torch import nn

from foundation.errors import UserError
from modelserving.training import weights
from modelserving.training.batches import Batches, Rows
from modelserving.training.callbacks import Callbacks, Stopped
from modelserving.training.gradients import Gradients, Part
from modelserving.training.load_ahead import load_ahead
from modelserving.training.network import Loss, Network, Totals, Turn
from modelserving.training.process_group import ProcessGroup, raise_together
from modelserving.training.recipe import TrainingRecipe
from modelserving.training.validation import Validation, Validator

FILE = "position.json"


@dataclass
class Position:
    """`step` counts batches, `updates` the updates made of them; `best` and `waited` are of tune scores.

    `due`: a tune score is to come before anything else. `decays` counts those of the rate on a plateau.
    `sums` and `counts` are those of the losses since the last point of their curves.
    """

    epoch: int = 0
    batch: int = 0
    step: int = 0
    best: float | None = None
    waited: int = 0
    done: bool = False
    sums: dict[str, float] = field(default_factory=dict)
    counts: dict[str, float] = field(default_factory=dict)
    updates: int = 0
    due: bool = False
    decays: int = 0

    def write(self, folder: Path) -> None:
        (folder / FILE).write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> "Position":
        return cls(**json.loads((folder / FILE).read_text(encoding="utf-8")))


# Updates of a network: its turns, each with its gradient and its optimizer.


def factor(recipe: TrainingRecipe, done: int, total: int, epochs: int = 0, decays: int = 0) -> float:
    """The factor of the rate in an update.

    In the first `warmup` updates it rises linearly to 1. With the schedule "constant" it then stays. Otherwise it falls
    as the inverse square root of the number of the update, or to 0 at the end of the last epoch, linearly or as half a
    cosine (Loshchilov and Hutter 2017). With "step" it decays exponentially after each epoch from `decay_from` on (as
    OpenNMT's start_decay_at), with "plateau" on each plateau of the tune score. The inverse square root with the rate
    (d * warmup)^-0.5 is the schedule of Vaswani et al. (2017, section 5.3).

    Args:
        recipe: Says the schedule and the warmup.
        done: Updates before this one.
        total: Updates of the whole training, where it does not stop sooner.
        epochs: Whole epochs before this update.
        decays: Plateaus of the tune score before it.
    """
    if done < recipe.warmup:
        return (done + 1) / recipe.warmup
    if recipe.schedule == "step":
        return float(recipe.rate_decay ** max(0, epochs + 1 - recipe.decay_from))
    if recipe.schedule == "plateau":
        return float(recipe.rate_decay**decays)
    if recipe.schedule == "inverse_sqrt":
        return math.sqrt(max(1, recipe.warmup) / (done + 1))
    gone = min(1.0, (done - recipe.warmup) / max(1, total - recipe.warmup))
    if recipe.schedule == "linear":
        return 1 - gone
    return (1 + math.cos(math.pi * gone)) / 2 if recipe.schedule == "cosine" else 1.0


def needs_total(recipe: TrainingRecipe) -> bool:
    """Whether the factor depends on the total of updates."""
    return recipe.schedule in ("linear", "cosine")


Parameters = Sequence[nn.Parameter]


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
        """How many of the updates before this one had this turn; asked for ever later updates."""
        self._before += sum(map(self.turn.taken, range(self._counted, update)))
        self._counted = update
        return self._before

    def step(self, done: int, epochs: int = 0, decays: int = 0, bad: torch.Tensor | None = None) -> None:
        """Take the step of the parameters' gradients, after `done` others.

        Args:
            done: Steps of this turn before it.
            epochs: Whole epochs before it.
            decays: Plateaus of the tune score before it.
            bad: A number on the device, (): not 0 once a gradient was not finite, which this sets; no step is then
                taken.
        """
        norm = self._clip()
        rate = self.recipe.rate * factor(self.recipe, done, self._needed, epochs, decays)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        if bad is not None:
            bad.logical_or_(~norm.isfinite())
            if self.skips:
                self.optimizer.found_inf = bad  # type: ignore[attr-defined]  # as `torch.amp.GradScaler` tells it
            elif bad.item():
                return
        self.optimizer.step()

    @property
    def skips(self) -> bool:
        """Whether the optimizer itself looks, on the device, whether to take the step: PyTorch's fused ones do."""
        return bool(getattr(self.optimizer, "_step_supports_amp_scaling", False))

    def _clip(self) -> torch.Tensor:
        """Shorten the gradient; its length before."""
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
    """A gradient is not finite. `whole`: no turn of the update was taken, the state is that before it.

    It stops a training at once: no loss is scaled here, so the fault lies in the weights or the data, and the next
    batches would learn from weights that are as bad.
    """

    def __init__(self, batch: int, whole: bool) -> None:
        super().__init__(
            "The loss or its gradient is not a finite number at batch {batch:,}. The training stopped and keeps "
            "the state before it. A lower learning rate, a warmup or gradient clipping may help.",
            batch=batch,
            where="rate",
        )
        self.whole = whole


def no_memory(device: str) -> UserError:
    """The error where memory does not suffice even between batches: smaller parts of one would be no help."""
    return UserError(
        "The memory of {device} is too small for the network with its gradients and its optimizer's state: "
        "make the network smaller, or give it more memory; a smaller 'batch' or a lower 'longest' saves a "
        "little.",
        device=device,
        where="train",
    )


@dataclass(frozen=True)
class Taken:
    """A turn that was taken: the position before its update, its losses, and whether any was bad by then, ()."""

    before: Position
    whole: bool
    found: Totals
    bad: torch.Tensor


class Updates:
    """Makes updates; `total` says how many a whole training has at most.

    Nothing is read from the device until `settle`: once a loss or a gradient is not finite, the device takes no
    further step, and the weights are those before it when `settle` finds it.
    """

    def __init__(self, net: Network, gradients: Gradients, recipe: TrainingRecipe, total: Callable[[], int]) -> None:
        self.net, self.gradients = net, gradients
        self.optimizers = [TurnOptimizer(turn, recipe, total) for turn in net.turns()]
        self._taken: list[Taken] = []
        self._bad = torch.zeros((), device=gradients.device)
        self._met: UserError | None = None

    def take(self, parts: Sequence[Part], position: Position, met: Stopped | None = None) -> None:
        """Make one update, by the losses of the parts; the position moves on. All processes raise `met`."""
        self.tell(position)
        before = replace(position, sums={}, counts={})
        due = [optimizer for optimizer in self.optimizers if optimizer.turn.taken(position.updates)]
        for optimizer in due:
            self._turn(optimizer, parts, before, whole=optimizer is due[0], met=met)
        position.updates += 1
        position.step += len(parts)
        position.batch += len(parts)

    def tell(self, position: Position) -> None:
        """Tell the network the progress of its training."""
        self.net.updates, self.net.epochs = position.updates, position.epoch

    def _turn(
        self, optimizer: TurnOptimizer, parts: Sequence[Part], before: Position, whole: bool, met: Stopped | None
    ) -> None:
        found = self.gradients.of(optimizer.turn, parts, before.step, self._met or met)
        self._bad.logical_or_(~found.totals.isfinite().all())
        try:
            optimizer.step(optimizer.steps_before(before.updates), before.epoch, before.decays, self._bad)
        except torch.OutOfMemoryError:
            self._met = no_memory(self.gradients.device)
            if self.gradients.group.size == 1:
                raise self._met from None
        self._taken.append(Taken(before, whole, found, self._bad.clone()))

    def settle(self, position: Position) -> None:
        """Read what the updates since the last time found, in one message from the device: the losses are counted.

        Raises:
            Diverged: One was bad; the position is then that before it.
            UserError: The memory of some process did not do for a step.
        """
        raise_together(self.gradients.group, self._met, self.gradients.device)
        if not self._taken:
            return
        taken, self._taken = self._taken, []
        numbers = iter(_read([number for one in taken for number in (one.bad, *_numbers_of(one.found))]))
        for one in taken:
            bad, *found = (next(numbers) for _ in range(2 + 2 * len(one.found.names)))
            if bad:
                for name in ("epoch", "batch", "step", "updates"):
                    setattr(position, name, getattr(one.before, name))
                raise Diverged(position.step + 1, whole=one.whole)
            self.gradients.split |= found.pop(0) > 0
            _count(one.found.names, found, position)

    def write(self, folder: Path) -> None:
        for optimizer in self.optimizers:
            optimizer.write(folder, self.net)

    def read(self, folder: Path) -> None:
        for optimizer in self.optimizers:
            optimizer.read(folder, self.net)


def _numbers_of(found: Totals) -> Iterator[torch.Tensor]:
    yield from (found.split, *found.totals, *found.counts)


def _read(numbers: Sequence[torch.Tensor]) -> list[float]:
    return [float(number) for number in torch.stack([number.double() for number in numbers]).tolist()]


def _count(names: Sequence[str], found: Sequence[float], position: Position) -> None:
    totals, counts = found[: len(names)], found[len(names) :]
    for name, total, count in zip(names, totals, counts, strict=True):
        position.sums[name] = position.sums.get(name, 0.0) + total
        position.counts[name] = position.counts.get(name, 0.0) + count


LONG_SCORING = 5.0  # seconds
FIRST = Loss.name  # 'the' loss, which counts words; where turns alternate it need not come first
SAY_EVERY = 20  # batches from one point of the curves to the next
AHEAD = 2  # updates whose batches are made ready while a GPU works; on a processor the thread would only take turns


class Trainer:
    """`save` writes a model that can be loaded, with the weights as they are; run() leaves the network at its best."""

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
        self.net.smoothing = recipe.smoothing
        self.batches, self.recipe, self.callbacks, self.save = batches, recipe, callbacks, save
        self.group, self.device = group or ProcessGroup(), device
        self.validator = Validator(net, validation, callbacks, save, recipe.average)
        self.gradients = Gradients(net, batches, self.group, callbacks.seed, device, recipe.precision)
        self.updates = Updates(net, self.gradients, recipe, self._most_updates)
        self.position = Position()
        self.scoring = callbacks.run_context(lambda: callbacks.at(self.position.step, self._total))
        self.ahead = AHEAD if device.startswith("cuda") else 0
        self.settled_at_once = not device.startswith("cuda")
        self._begun = time.monotonic()
        self._total = 0
        self._told_of_split = False
        self._long_scoring = False

    def _most_updates(self) -> int:
        """The most updates, by the batches of the first epoch: later epochs may differ a little."""
        return self.recipe.epochs * math.ceil(len(self.batches.order(0)) / self.recipe.accumulate)

    def run(self) -> None:
        """Train to the end.

        Raises:
            Stopped: Somebody asked it to stop; its state is kept.
            UserError: The loss is no longer a number (`Diverged`), or memory does not suffice.
        """
        try:
            self._run()
        except torch.OutOfMemoryError:
            raise no_memory(self.device) from None

    def _run(self) -> None:
        self._resume()
        try:
            try:
                if self.position.due:
                    self._total = len(self.batches.order(self.position.epoch)) * self.recipe.epochs
                    self._score()
                while not self.position.done:
                    self._epoch()
            except Stopped:
                self._settle()
                raise
        except (Stopped, Diverged) as why:
            if not isinstance(why, Diverged) or why.whole:
                self._keep_last()
            raise
        best = self.callbacks.kept("best")
        if best is not None:
            weights.read_network(best / weights.FILE, self.net)
        self.net.eval()

    def _epoch(self) -> None:
        order = self.batches.order(self.position.epoch)
        self._total = len(order) * self.recipe.epochs
        with closing(load_ahead(self._loaded, self._groups(order), self.ahead)) as groups:
            for parts in groups:
                self._update(parts)
                self._after(len(parts), len(order))
                if self.position.done:
                    return

    def _groups(self, order: Sequence[Rows]) -> Iterator[Sequence[Rows]]:
        """The batches of each update from here to the end of the epoch."""
        for start in range(self.position.batch, len(order), self.recipe.accumulate):
            yield order[start : start + self.recipe.accumulate]

    def _loaded(self, group: Sequence[Rows]) -> list[Part]:
        return [self.gradients.load(rows) for rows in group]

    def _update(self, parts: Sequence[Part]) -> None:
        """Make an update; Stopped in every process if one is told to stop, Preempted if for no other reason."""
        asked: Stopped | None = None
        try:
            self.callbacks.at(self.position.step, self._total)
        except Stopped as told:
            asked = told
        if asked and self.group.size == 1:
            raise asked
        self.updates.take(parts, self.position, asked)
        if self.settled_at_once:
            self._settle()

    def _settle(self) -> None:
        self.updates.settle(self.position)
        if self.gradients.split and not self._told_of_split:
            self._told_of_split = True
            self.callbacks.say("A batch did not fit into memory and was learnt from in parts, as others will be.")

    def _after(self, taken: int, batches: int) -> None:
        """Do the work after an update: points of the curves, the end of an epoch, a tune score, a kept state."""
        recipe, over = self.recipe, self.position.batch == batches
        if self._passed(SAY_EVERY, taken) or over:
            self._settle()
            self._say()
        if over:
            self.position.epoch, self.position.batch = self.position.epoch + 1, 0
        self.position.done = self.position.epoch == recipe.epochs
        if self.position.done or (self._passed(recipe.tune_every, taken) if recipe.tune_every else over):
            self._score()
        elif self._passed(recipe.keep_every, taken):
            self._keep_last()

    def _passed(self, every: int, taken: int) -> bool:
        """Whether one of the last so many batches was the last of `every`."""
        return self.position.step // every > (self.position.step - taken) // every

    def _say(self) -> None:
        now = time.monotonic()
        if self.group.first:
            first = FIRST if FIRST in self.position.counts else next(iter(self.position.counts))
            for name, total in self.position.sums.items():
                self.callbacks.point(name, self.position.step, total / max(1.0, self.position.counts[name]))
            self.callbacks.point(
                "tokens a second", self.position.step, self.position.counts[first] / max(1e-9, now - self._begun)
            )
        self.position.sums, self.position.counts, self._begun = {}, {}, now

    def _score(self) -> None:
        """Validate, and keep the state after it; before it too, if it takes longer than a machine may be left."""
        self._settle()
        before, self.position.due = self.position.due, True
        if not before and self._long_scoring:
            self._keep_last()
        began = time.monotonic()
        self._validate()
        took_long = float(self.group.first and time.monotonic() - began > LONG_SCORING)
        self._long_scoring = self.group.sum([took_long], self.device)[0] > 0  # all keep, or none
        self.position.due = False
        self._keep_last()

    def _validate(self) -> None:
        """Score the tune set; keep the best. Without one the last weights are the best."""
        self.net.eval()
        self.updates.tell(self.position)
        score = self._score_by_first()
        self._begun = time.monotonic()
        validation = self.validator.validation
        if validation is None:
            self._keep_best()
            return
        value = self.group.sum([score or 0.0], self.device)[0]
        if validation.better(value, self.position.best):
            self.position.best, self.position.waited = value, 0
            self._keep_best()
        elif (
            self.position.updates >= self.recipe.warmup and not self.net.annealing
        ):  # before it the rate is still rising
            self.position.waited += 1
            self.position.decays += self.position.waited % self.recipe.decay_after == 0
            self.position.done |= 0 < self.recipe.patience <= self.position.waited

    def _score_by_first(self) -> float | None:
        """The tune score, in the first process alone; what stops it there stops all."""
        score, met = None, None
        try:
            if self.group.first:
                score = self.validator.score(self.position.epoch, self.position.step, self.scoring)
        except (Stopped, UserError) as error:
            met = error
        except torch.OutOfMemoryError:
            met = no_memory(self.device)
        raise_together(self.group, met, self.device)
        return score

    def _keep_best(self) -> None:
        if self.group.first:
            self.validator.keep_best()
        self.group.wait()

    def _keep_last(self) -> None:
        self._settle()
        if self.group.first:
            self.callbacks.keep("last", self._write)
        self.group.wait()

    def _write(self, folder: Path) -> None:
        self.save(folder)
        self.updates.write(folder)
        self.validator.last_states.write(folder)
        self.position.write(folder)

    def _resume(self) -> None:
        """Go on from what was kept."""
        last = self.callbacks.kept("last")
        if last is None:
            return
        weights.read_network(last / weights.FILE, self.net)
        self.updates.read(last)
        self.validator.last_states.read(last)
        self.position = Position.read(last)
