"""transformers' Trainer; everything that it would pickle, print or draw at random is taken over.

`Bridged` goes before `Seq2SeqTrainer` or `Trainer` in a class's bases; `train` runs it on a model and rows of ids:

    class SidesTrainer(Bridged, Seq2SeqTrainer): ...
    train(SidesTrainer, net, rows, collate, bridge)

Chance (dropout, the order of rows) comes from the seed and the number of the batch alone, and a resumed training ends
bit for bit as one that was not interrupted (on a CPU).
"""

import json
import math
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol

import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader, Sampler
from transformers import PrinterCallback, TrainerCallback

from foundation.errors import UserError
from foundation.seeds import generator
from modelserving.pretrained.options import TunedOptions
from modelserving.pretrained.token_rows import IGNORED, Inputs
from modelserving.training import weights
from modelserving.training.batches import bucket_by_length
from modelserving.training.callbacks import Callbacks, Kept, Stopped
from modelserving.training.gradients import seed_of, seed_torch
from modelserving.training.network import autocast, finite_attention
from modelserving.training.process_group import ProcessGroup, local_device, raise_together
from modelserving.training.products import quick_layers
from modelserving.training.validation import Validation

if TYPE_CHECKING:
    from transformers import Seq2SeqTrainingArguments

# The bridge between a training by transformers' Trainer and our `Callbacks`: its reports and its kept state.
#
# A kept state holds the weights, the optimizer's state as safetensors, and as JSON the scheduler, Trainer's own state
# and the position of the training. There is no random state to keep: chance comes from the seed and the number of the
# batch alone.

LOSS = "loss"  # the curve of nats a token
SAY_EVERY = 20  # updates from one point of the curves to the next
OPTIMIZER, SCHEDULER, POSITION, STATE = (
    "optimizer.safetensors", "scheduler.json", "position.json", "trainer_state.json"
)  # fmt: skip


@dataclass
class Position:
    """The position of a training, beside Trainer's own state.

    `best` and `waited` are of tune scores. `due`: a tune score is to come before anything else. `total` counts nats
    over `count` tokens since the last point of the curves. A batch is computed in `parts`.
    """

    best: float | None = None
    waited: int = 0
    due: bool = False
    done: bool = False
    total: float = 0.0
    count: float = 0.0
    parts: int = 1


def no_memory() -> UserError:
    """The error where memory does not suffice even between batches: smaller parts of one would be no help."""
    return UserError(
        "The GPU's memory is too small for the model with its gradients and its optimizer's state: choose a "
        "smaller model, or give it more memory; a smaller batch, shorter texts or gradient checkpointing "
        "save a little.", where="folder",
    )  # fmt: skip


class Bridge:
    """The bridge of one training. `save` writes a model that can be loaded, with the weights as they are.

    `curve` is the name of the loss's curve. The file `beside` is part of the kept state, for other machines. Where the
    model is `sharded`, all processes score and save it together, since each has but a part.
    """

    def __init__(
        self, options: TunedOptions, callbacks: Callbacks, save: Callable[[Path], None],
        tune_score: Validation | None = None, group: ProcessGroup | None = None, curve: str = LOSS,
        beside: Path | None = None, sharded: bool = False,
    ) -> None:  # fmt: skip
        self.curve, self.beside, self.sharded = curve, beside, sharded
        self.options, self.callbacks, self.save = options, callbacks, save
        self.tune_score, self.group = tune_score, group or ProcessGroup()
        self.position = _read_position(callbacks.kept("last"))
        self.device = torch.device("cpu")
        self.scoring = callbacks.run_context(self._look)
        self._at = 0, 0
        self._met: Stopped | None = None
        self._losses: list[tuple[torch.Tensor, int]] = []
        self._begun = time.monotonic()

    # Statistics of one update.

    def stop_if_asked(self, step: int, total: int) -> None:
        """Raise Stopped in every process where the first one is told to stop."""
        self._together(lambda: self.callbacks.at(step, total))

    def _look(self) -> None:
        """Tell the position within a score; the processes of a model in parts stop at its end, all at one place."""
        try:
            self.callbacks.at(*self._at)
        except Stopped as met:
            if not self.sharded:
                raise
            self._met = met

    def _together(self, call: Callable[[], None], by_all: bool = False) -> None:
        met: Stopped | UserError | None = None
        if self.group.first or by_all:
            try:
                call()
            except (Stopped, UserError) as error:
                met = error
            except torch.OutOfMemoryError:
                met = no_memory()
        raise_together(self.group, met, str(self.device))

    def note(self, total: torch.Tensor, count: int) -> None:
        """Add a loss of the current update: nats, and tokens."""
        self._losses.append((total, count))

    def forget_update(self) -> None:
        """Forget the losses of an update that begins again."""
        self._losses = []

    def end_update(self) -> None:
        """Count the losses of the update."""
        self.position.total += float(sum(float(total) for total, _ in self._losses))
        self.position.count += sum(count for _, count in self._losses)
        self._losses = []

    def say(self, step: int, rate: float) -> None:
        """Tell points of the curves; a UserError where the loss is no longer a number."""
        now, position = time.monotonic(), self.position
        total, count = self.group.sum([position.total, position.count], self.device)
        loss = total / max(1.0, count)
        if not math.isfinite(loss):
            raise UserError(
                "The loss is no longer a number at update {step:,}: choose a lower learning rate, or a warmup.",
                step=step,
                where="rate",
            )
        if self.group.first:
            self.callbacks.point(self.curve, step, loss)
            if self.curve == LOSS:
                self.callbacks.point("tokens a second", step, count / max(1e-9, now - self._begun))
            self.callbacks.point("learning rate", step, rate)
        position.total, position.count, self._begun = 0.0, 0.0, now

    # Statistics of the tune set.

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
            for name, watched in tune_score.watch(self.scoring).items():
                self.callbacks.point(name, step, watched)
            end = "higher" if tune_score.higher_is_better else "lower"
            name = tune_score.curve.replace("_", " ")
            share = step * 100 // total  # of the longest training; an epoch of a pretraining is all of it
            self.callbacks.say(f"Update {step:,} of {total:,} ({share}%): {name} {found[0]:.4g} ({end} is better)")

        self._together(score, by_all=self.sharded)
        self._together(self._stop_if_met, by_all=self.sharded)
        return self.group.sum([found[0] if found and self.group.first else 0.0], self.device)[0]

    def _stop_if_met(self) -> None:
        met, self._met = self._met, None
        if met is not None:
            raise met

    # The kept state.

    def _keep_best(self) -> None:
        self._keep("best", self.save)

    def _keep(self, what: Kept, write: Callable[[Path], None]) -> None:
        if self.group.first:
            self.callbacks.keep(what, write)
        elif self.sharded:  # the first process gathers the parts of all
            with TemporaryDirectory() as spare:
                write(Path(spare))
        self.group.wait()

    def keep_last(self, trainer: Any) -> None:
        """Keep the whole state that the training resumes from."""

        def write(folder: Path) -> None:
            self.save(folder)
            weights.write_optimizer(folder / OPTIMIZER, trainer.model, trainer.optimizer)
            (folder / SCHEDULER).write_text(json.dumps(trainer.lr_scheduler.state_dict()), encoding="utf-8")
            (folder / POSITION).write_text(json.dumps(asdict(self.position)), encoding="utf-8")
            trainer.state.save_to_json(str(folder / STATE))
            if self.beside:
                shutil.copyfile(self.beside, folder / self.beside.name)

        self._keep("last", write)


def read_optimizer(folder: Path, trainer: Any) -> None:
    """Load the kept state of optimizer and scheduler into the trainer's."""
    weights.read_optimizer(folder / OPTIMIZER, trainer.model, trainer.optimizer)
    trainer.lr_scheduler.load_state_dict(json.loads((folder / SCHEDULER).read_text(encoding="utf-8")))
    for group, rate in zip(trainer.optimizer.param_groups, trainer.lr_scheduler.get_last_lr(), strict=True):
        group["lr"] = rate


def _read_position(folder: Path | None) -> Position:
    path = folder / POSITION if folder else None
    return Position(**json.loads(path.read_text(encoding="utf-8"))) if path and path.exists() else Position()


def _checkpointing(arguments: type[Any]) -> str:
    """The option's name among the arguments; older releases of transformers 5 have `gradient_checkpointing`."""
    named = arguments.__dataclass_fields__
    return "activation_checkpointing" if "activation_checkpointing" in named else "gradient_checkpointing"


SCHEDULES = {"constant": "constant_with_warmup", "inverse_sqrt": "inverse_sqrt", "linear": "linear", "cosine": "cosine"}


def training_arguments(
    options: TunedOptions, callbacks: Callbacks, device: str, processes: int = 1
) -> "Seq2SeqTrainingArguments":
    """The arguments of a process that trains on one device, alone or with others."""
    import torch
    from transformers import Seq2SeqTrainingArguments

    on_gpu = device.startswith("cuda")
    if on_gpu:
        torch.cuda.set_device(device)
    arguments = Seq2SeqTrainingArguments(
        output_dir=str(callbacks.folder / "trainer"),
        per_device_train_batch_size=max(1, options.batch // processes),  # batches are ours; Trainer only says it
        gradient_accumulation_steps=options.accumulate,
        num_train_epochs=options.epochs,
        learning_rate=options.rate,
        lr_scheduler_type=SCHEDULES[options.schedule],
        warmup_steps=options.warmup,
        weight_decay=options.decay,
        max_grad_norm=options.clip,
        optim="adamw_torch_fused",
        **{_checkpointing(Seq2SeqTrainingArguments): options.checkpointing},
        seed=callbacks.seed,
        use_cpu=not on_gpu,
        ddp_backend=("nccl" if on_gpu else "gloo") if processes > 1 else None,
        eval_on_start=True,  # where a tune score was still due; else nothing is done
        save_strategy="no",
        logging_strategy="no",
        eval_strategy="no",
        report_to=[],
        disable_tqdm=True,
        logging_nan_inf_filter=False,
        use_cache=True,
    )
    arguments._n_gpu = min(1, arguments._n_gpu)  # one GPU a process, however many there are
    return arguments


class Rows(Protocol):
    """The training data: rows of ids, and numbers that are about equal for rows of about one length."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int) -> Any: ...
    @property
    def keys(self) -> "NDArray[Any]":
        """A number for each row, (n,)."""


class Order(Sampler[list[int]]):
    """The rows of each batch of an epoch, this process's part of them.

    If there are too few rows for all processes, a process gets ~row for the first of them: it computes this row since
    processes wait for each other's gradients, and the row does not count.
    """

    def __init__(self, rows: Rows, bridge: Bridge) -> None:
        self.rows, self.bridge, self.epoch = rows, bridge, 0

    def __iter__(self) -> Iterator[list[int]]:
        chance = generator(self.bridge.callbacks.seed, "order", self.epoch)
        yield from map(self.mine, bucket_by_length(self.rows.keys, self.bridge.options.batch, chance))

    def mine(self, batch: Any) -> list[int]:
        """This process's part of a batch, a sequence of rows."""
        group = self.bridge.group
        return [int(place) for place in batch[group.rank :: group.size]] or [~int(batch[0])]

    def __len__(self) -> int:
        return -(-len(self.rows) // self.bridge.options.batch)


@dataclass(frozen=True)
class Shared:
    """Rows as `Order` names them, each with whether it counts."""

    rows: Rows

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> tuple[Any, bool]:
        return self.rows[place if place >= 0 else ~place], place >= 0


class Finished(Exception):
    """A tune score that was still due ended the training."""


class Bridged:
    """Trainer, with a `bridge` that does its stepping, scoring and keeping."""

    bridge: Bridge
    rows: Rows
    collate: Callable[[Sequence[Any]], Inputs]
    order_kind: type[Order] = Order
    # Parts of Trainer:
    model: Any
    state: Any
    control: Any
    args: Any
    accelerator: Any
    _update: tuple[int, list[tuple[Inputs, Any]]] = (-1, [])

    # The data.

    def get_train_dataloader(self) -> "DataLoader[Any]":
        self.order = self.order_kind(self.rows, self.bridge)
        pinned = self.bridge.device.type == "cuda"
        return DataLoader(Shared(self.rows), batch_sampler=self.order, collate_fn=self._collated, pin_memory=pinned)  # type: ignore[arg-type]

    def _collated(self, shared: Sequence[tuple[Any, bool]]) -> Inputs:
        """The batch of rows; no label counts where its rows do not."""
        inputs = self.collate([row for row, _ in shared])
        if not all(counts for _, counts in shared):
            inputs["labels"].fill_(IGNORED)
        return inputs

    def _get_num_items_in_batch(self, batch_samples: list[Inputs], device: torch.device) -> Tensor:
        counted = sum(int((batch["labels"] != IGNORED).sum()) for batch in batch_samples)
        return torch.tensor(max(1.0, self.bridge.group.sum([float(counted)], self.bridge.device)[0]), device=device)

    # An update.

    loss_is_scaled_for_ga = True

    def compute_loss(
        self, model: Any, inputs: Inputs, return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """The sum over the labels, divided by the number of all labels of the update; label t belongs to output t."""
        labels = inputs.pop("labels")
        with autocast(str(self.bridge.device), self.bridge.options.precision):
            logits = model(**inputs, use_cache=False).logits
        total = summed_loss(logits, labels, self.bridge.options.smoothing)
        self.bridge.note(total.detach(), int((labels != IGNORED).sum()))
        return total / num_items_in_batch * self.bridge.group.size  # gradients are averaged over processes

    def training_step(self, model: Any, inputs: Inputs, num_items_in_batch: Any = None) -> Tensor:
        """Train on a batch; where memory does not suffice, repeat the update with each batch in twice as many parts."""
        if self._update[0] != self.state.global_step:
            self._update = (self.state.global_step, [])
        batches = self._update[1]
        batches.append((inputs, num_items_in_batch))
        again = False
        while True:
            try:
                begin = 0 if again else len(batches) - 1
                return torch.stack([self._in_parts(model, number) for number in range(begin, len(batches))]).sum()
            except torch.OutOfMemoryError:
                self._halve(max(len(one["labels"]) for one, _ in batches))
            model.zero_grad()
            torch.cuda.empty_cache()
            self.bridge.forget_update()
            again = True

    def _in_parts(self, model: Any, number: int) -> Tensor:
        inputs, counted = self._update[1][number]
        rank, seed = self.bridge.group.rank, self.bridge.callbacks.seed
        losses = []
        for place, part in enumerate(parts_of(inputs, self.bridge.position.parts)):
            seed_torch(seed_of(seed, "batch", self.state.global_step, number, place, *([rank] if rank else [])))
            with quick_layers(model):  # the backward pass too, which may compute activations again
                losses.append(super().training_step(model, part, counted))  # type: ignore[misc]
        return torch.stack(losses).sum()

    def _halve(self, rows: int) -> None:
        position = self.bridge.position
        if position.parts >= rows or self.bridge.group.size > 1:
            raise UserError(
                "The GPU's memory is too small: choose a smaller batch, shorter texts, or gradient checkpointing.",
                where="batch",
            ) from None
        position.parts *= 2
        self.bridge.callbacks.say(f"The GPU's memory does not do for a batch: each is worked off in {position.parts} "
                                  "parts from here on; the gradient is the same.")  # fmt: skip

    def floating_point_ops(self, inputs: Any) -> int:
        return 0  # is told nowhere

    # Scoring and keeping.

    def _evaluate(self, trial: Any, ignore_keys_for_eval: Any, skip_scheduler: bool = False) -> dict[str, float]:
        """Score the tune set; with `skip_scheduler` before the first update, because the score was still due."""
        self.control.should_evaluate = False
        if skip_scheduler and not self.bridge.position.due:
            return {}
        self.model.eval()
        self.bridge.score(self.state.global_step, self.state.max_steps)
        self.bridge.keep_last(self)
        self.control.should_training_stop = self.control.should_training_stop or self.bridge.position.done
        if skip_scheduler and self.bridge.position.done:
            raise Finished
        return {}

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        self.bridge.keep_last(self)

    # A model in parts lies where it belongs, and accelerate would copy the whole of it to every GPU.

    def _move_model_to_device(self, model: Any, device: torch.device) -> None:
        if not weights.in_parts(model):
            super()._move_model_to_device(model, device)  # type: ignore[misc]

    def _wrap_model(self, model: Any, *given: Any, **others: Any) -> Any:
        if weights.in_parts(model):
            self.accelerator.prepare_model = lambda one, **_: one
        return super()._wrap_model(model, *given, **others)  # type: ignore[misc]

    # Resuming. The weights are there: the model was loaded from the kept state.

    def _load_from_checkpoint(self, resume_from_checkpoint: Any, model: Any = None) -> None:
        pass

    def _load_optimizer_and_scheduler(self, checkpoint: Any) -> None:
        last = self.bridge.callbacks.kept("last") if checkpoint else None
        if last is not None:
            read_optimizer(last, self)

    def _load_rng_state(self, checkpoint: Any) -> None:
        pass


class Teller(TrainerCallback):
    """Tells our callbacks of each update, and Trainer when to score and when to keep."""

    def __init__(self, trainer: Any, bridge: Bridge) -> None:
        self.trainer, self.bridge = trainer, bridge

    def on_epoch_begin(self, args: Any, state: Any, control: Any, **others: Any) -> None:
        self.trainer.order.epoch = state.global_step // self._updates(state)

    def on_step_begin(self, args: Any, state: Any, control: Any, **others: Any) -> None:
        self.bridge.stop_if_asked(state.global_step, state.max_steps)

    def on_substep_end(self, args: Any, state: Any, control: Any, **others: Any) -> None:
        self.bridge.stop_if_asked(state.global_step, state.max_steps)

    def on_step_end(self, args: Any, state: Any, control: Any, **others: Any) -> None:
        """Tell of the update; the last one of an epoch also ends the epoch: nothing is left to do behind it."""
        bridge, options, step = self.bridge, self.bridge.options, state.global_step
        over = step % self._updates(state) == 0
        bridge.end_update()
        if step % SAY_EVERY == 0 or over:
            bridge.say(step, self.trainer.lr_scheduler.get_last_lr()[0])
        due = step == state.max_steps or (step % options.tune_every == 0 if options.tune_every else over)
        bridge.position.due = control.should_evaluate = due
        control.should_save = not due and step % options.keep_every == 0

    def _updates(self, state: Any) -> int:
        """The updates of an epoch."""
        return int(state.max_steps) // int(state.num_train_epochs)


def train(kind: type, net: Any, rows: Rows, collate: Callable[[Sequence[Any]], Inputs], bridge: Bridge) -> None:
    """Train a model; resumes from the kept state if the model was loaded from it. It ends with its last weights.

    Args:
        kind: A class of `Bridged` and one of transformers' Trainers.
        net: The model.
        rows: The training data.
        collate: Makes a batch of rows: the model's inputs, and "labels", where label t belongs to output t.
        bridge: Tells and keeps.

    Raises:
        Stopped: Somebody asked it to stop; its state is kept.
        UserError: The loss is no longer a number, or memory does not suffice.
    """
    last, device = bridge.callbacks.kept("last"), local_device(bridge.callbacks.device)
    if bridge.position.done:
        return
    bridge.device = torch.device(device)
    if bridge.sharded:
        from modelserving.training.shards import shard  # it takes a second to import, and 45 MB

        shard(net, device)
    trainer = kind(model=net, args=training_arguments(bridge.options, bridge.callbacks, device, bridge.group.size))
    trainer.bridge, trainer.rows, trainer.collate = bridge, rows, collate
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(Teller(trainer, bridge))
    try:
        with finite_attention():
            trainer.train(resume_from_checkpoint=str(last) if last else None)
    except Finished:
        pass
    except torch.OutOfMemoryError:
        raise no_memory() from None
    except Stopped:
        bridge.forget_update()
        bridge.keep_last(trainer)
        raise


def summed_loss(logits: Tensor, labels: Tensor, smoothing: float = 0.0) -> Tensor:
    """Nats over all labels (n, T) that are not -100, from logits (n, T, V)."""
    return cross_entropy(
        logits.float().flatten(0, 1), labels.flatten(), ignore_index=IGNORED, reduction="sum",
        label_smoothing=smoothing,
    )  # fmt: skip


def parts_of(inputs: Inputs, parts: int) -> Iterator[Inputs]:
    """The batch in so many parts of about one size, none of them empty."""
    size = -(-len(inputs["labels"]) // parts)
    for start in range(0, len(inputs["labels"]), size):
        yield {name: tensor[start : start + size] for name, tensor in inputs.items()}
