"""What a training by transformers' Trainer tells, keeps and goes on from: between it and our `Callbacks`.

What is kept holds the weights, the optimizer's state as safetensors, and as JSON the scheduler, Trainer's own state and
where the training is. There is no random state to keep: chance comes from the seed and the number of the batch alone.
"""

import json
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from foundation.errors import UserError
from modelserving.pretrained.options import TunedOptions
from modelserving.training import weights
from modelserving.training.callbacks import Callbacks, Stopped
from modelserving.training.process_group import ProcessGroup
from modelserving.training.together import raise_together
from modelserving.training.validation import Validation

SAY_EVERY = 20  # updates from one point of the curves to the next
OPTIMIZER, SCHEDULER, POSITION, STATE = (
    "optimizer.safetensors", "scheduler.json", "position.json", "trainer_state.json"
)  # fmt: skip


@dataclass
class Position:
    """Where a training is, beside Trainer's own state.

    `best` and `waited` are of tune scores; `due`: a tune score is to come before anything else; `total` nats over
    `count` tokens since the last point of the curves; a batch is worked off in `parts`.
    """

    best: float | None = None
    waited: int = 0
    due: bool = False
    done: bool = False
    total: float = 0.0
    count: float = 0.0
    parts: int = 1


def no_memory() -> UserError:
    """The error where memory does not do for what stays between batches: smaller parts of one would be no help."""
    return UserError(
        "The GPU's memory does not do for the model with its gradients and its optimizer's state: choose a smaller "
        "model, or give it more memory; a smaller batch, shorter texts or gradient checkpointing leave it a little "
        "more.", where="folder",
    )  # fmt: skip


class Bridge:
    """One training's. `save` writes a model that can be loaded, of the weights as they are."""

    def __init__(
        self, options: TunedOptions, callbacks: Callbacks, save: Callable[[Path], None],
        tune_score: Validation | None = None, group: ProcessGroup | None = None,
    ) -> None:  # fmt: skip
        self.options, self.callbacks, self.save = options, callbacks, save
        self.tune_score, self.group = tune_score, group or ProcessGroup()
        self.position = _read_position(callbacks.kept("last"))
        self.device = torch.device("cpu")
        self.scoring = callbacks.run_context(lambda: callbacks.at(*self._at))
        self._at = 0, 0
        self._losses: list[tuple[torch.Tensor, int]] = []
        self._begun = time.monotonic()

    # Of one update.

    def stop_if_asked(self, step: int, total: int) -> None:
        """Raises Stopped in every process where the first one is told to."""
        self._together(lambda: self.callbacks.at(step, total))

    def _together(self, call: Callable[[], None]) -> None:
        met: Stopped | UserError | None = None
        if self.group.first:
            try:
                call()
            except (Stopped, UserError) as error:
                met = error
            except torch.OutOfMemoryError:
                met = no_memory()
        raise_together(self.group, met, str(self.device))

    def note(self, total: torch.Tensor, count: int) -> None:
        """A loss of the update that is under way: nats, and tokens."""
        self._losses.append((total, count))

    def forget_update(self) -> None:
        """The update begins again."""
        self._losses = []

    def end_update(self) -> None:
        """Its losses count."""
        self.position.total += float(sum(float(total) for total, _ in self._losses))
        self.position.count += sum(count for _, count in self._losses)
        self._losses = []

    def say(self, step: int, rate: float) -> None:
        """Points of the curves; a UserError where the loss is no number any more."""
        now, position = time.monotonic(), self.position
        total, count = self.group.sum([position.total, position.count], self.device)
        loss = total / max(1.0, count)
        if not math.isfinite(loss):
            raise UserError("The loss is no number any more at update {step:,}: choose a lower learning rate, or a "
"warmup.", step=step, where="rate")  # fmt: skip
        if self.group.first:
            self.callbacks.point("loss", step, loss)
            self.callbacks.point("tokens a second", step, count / max(1e-9, now - self._begun))
            self.callbacks.point("learning rate", step, rate)
        position.total, position.count, self._begun = 0.0, 0.0, now

    # Of the tune set.

    def score(self, step: int, total: int) -> None:
        """Score the tune set and keep the best; without one the last weights are the best."""
        if self.tune_score is None:
            self._keep_best()
        else:
            value = self._score(self.tune_score, step, total)
            self._judge(value, self.tune_score, step > self.options.warmup)
        self.position.due, self.position.done = False, self.position.done or step >= total
        self._begun = time.monotonic()

    def _judge(self, value: float, tune_score: Validation, patient: bool) -> None:
        """Keep the best; scores without a better one count once the warmup is over."""
        if tune_score.better(value, self.position.best):
            self.position.best, self.position.waited = value, 0
            self._keep_best()
        elif patient:
            self.position.waited += 1
            self.position.done |= 0 < self.options.patience <= self.position.waited

    def _score(self, tune_score: Validation, step: int, total: int) -> float:
        found: list[float] = []

        def score() -> None:
            self._at = step, total
            value, samples = tune_score.score(self.scoring)
            found.append(tune_score.finite(value))
            self.callbacks.score(tune_score.curve, step, found[0], higher_is_better=tune_score.higher_is_better)
            self.callbacks.samples(step, samples)
            end = "higher" if tune_score.higher_is_better else "lower"
            name = tune_score.curve.replace("_", " ")
            share = step * 100 // total  # of the longest training; an epoch of a pretraining is all of it
            self.callbacks.say(f"Update {step:,} of {total:,} ({share}%): {name} {found[0]:.4g} ({end} is better)")

        self._together(score)
        return self.group.sum([found[0] if found else 0.0], self.device)[0]

    # What is kept.

    def _keep_best(self) -> None:
        if self.group.first:
            self.callbacks.keep("best", self.save)
        self.group.wait()

    def keep_last(self, trainer: Any) -> None:
        """Keep all that the training goes on from."""

        def write(folder: Path) -> None:
            self.save(folder)
            weights.write_optimizer(folder / OPTIMIZER, trainer.model, trainer.optimizer)
            (folder / SCHEDULER).write_text(json.dumps(trainer.lr_scheduler.state_dict()), encoding="utf-8")
            (folder / POSITION).write_text(json.dumps(asdict(self.position)), encoding="utf-8")
            trainer.state.save_to_json(str(folder / STATE))

        if self.group.first:
            self.callbacks.keep("last", write)
        self.group.wait()


def read_optimizer(folder: Path, trainer: Any) -> None:
    """Put what was kept of optimizer and scheduler into the trainer's."""
    weights.read_optimizer(folder / OPTIMIZER, trainer.model, trainer.optimizer)
    trainer.lr_scheduler.load_state_dict(json.loads((folder / SCHEDULER).read_text(encoding="utf-8")))
    for group, rate in zip(trainer.optimizer.param_groups, trainer.lr_scheduler.get_last_lr(), strict=True):
        group["lr"] = rate


def _read_position(folder: Path | None) -> Position:
    path = folder / POSITION if folder else None
    return Position(**json.loads(path.read_text(encoding="utf-8"))) if path and path.exists() else Position()
