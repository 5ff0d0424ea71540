"""transformers' Trainer, with everything that it would pickle, print or draw by chance of its own taken over.

`Bridged` goes before `Seq2SeqTrainer` or `Trainer` in a class's bases; `train` runs it on a model and rows of ids:

    class SidesTrainer(Bridged, Seq2SeqTrainer): ...
    train(SidesTrainer, net, rows, collate, bridge)

Chance (dropout, the order of rows) comes from the seed and the number of the batch alone, and a training that goes on
from what was kept ends bit for bit as one that was left alone (on a CPU).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader, Sampler
from transformers import PrinterCallback, TrainerCallback

from foundation.errors import UserError
from foundation.seeds import generator
from modelserving.pretrained.bridge import SAY_EVERY, Bridge, no_memory, read_optimizer
from modelserving.pretrained.options import TunedOptions
from modelserving.pretrained.token_rows import IGNORED, Inputs
from modelserving.training.batches import bucket_by_length
from modelserving.training.callbacks import Callbacks, Stopped
from modelserving.training.gradients import seed_of
from modelserving.training.precision import autocast
from modelserving.training.process_group import local_device

if TYPE_CHECKING:
    from transformers import Seq2SeqTrainingArguments

SCHEDULES = {"constant": "constant_with_warmup", "inverse_sqrt": "inverse_sqrt", "linear": "linear", "cosine": "cosine"}


def training_arguments(
    options: TunedOptions, callbacks: Callbacks, device: str, processes: int = 1
) -> "Seq2SeqTrainingArguments":
    """Of a process that trains on one device, alone or with others."""
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
        activation_checkpointing=options.checkpointing,
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
    """What is trained on: rows of ids, and what rows of about one length have about equal."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int) -> Any: ...
    @property
    def keys(self) -> "NDArray[Any]":
        """A number a row, (n,)."""


class Order(Sampler[list[int]]):
    """The rows of each batch of an epoch, this process's part of them.

    Of too few for all processes it is ~row for the first: a row that is computed for company, since processes wait for
    each other's gradients, and that does not count.
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
    """Trainer's ways of stepping, scoring and keeping, by a `bridge`."""

    bridge: Bridge
    rows: Rows
    collate: Callable[[Sequence[Any]], Inputs]
    order_kind: type[Order] = Order
    # Of Trainer:
    model: Any
    state: Any
    control: Any
    args: Any
    _update: tuple[int, list[tuple[Inputs, Any]]] = (-1, [])

    # The data.

    def get_train_dataloader(self) -> "DataLoader[Any]":
        self.order = self.order_kind(self.rows, self.bridge)
        pinned = self.bridge.device.type == "cuda"
        return DataLoader(Shared(self.rows), batch_sampler=self.order, collate_fn=self._collated, pin_memory=pinned)  # type: ignore[arg-type]

    def _collated(self, shared: Sequence[tuple[Any, bool]]) -> Inputs:
        """A batch; where its rows do not count, none of its labels does."""
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
        """The sum over the labels, by the number of all labels of the update; label t belongs to output t."""
        labels = inputs.pop("labels")
        with autocast(str(self.bridge.device), self.bridge.options.precision):
            logits = model(**inputs, use_cache=False).logits
        total = summed_loss(logits, labels, self.bridge.options.smoothing)
        self.bridge.note(total.detach(), int((labels != IGNORED).sum()))
        return total / num_items_in_batch * self.bridge.group.size  # gradients are averaged over processes

    def training_step(self, model: Any, inputs: Inputs, num_items_in_batch: Any = None) -> Tensor:
        """A batch; where memory does not do, the whole update again, each batch in twice as many parts."""
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
            torch.manual_seed(seed_of(seed, "batch", self.state.global_step, number, place, *([rank] if rank else [])))
            losses.append(super().training_step(model, part, counted))  # type: ignore[misc]
        return torch.stack(losses).sum()

    def _halve(self, rows: int) -> None:
        position = self.bridge.position
        if position.parts >= rows or self.bridge.group.size > 1:
            raise UserError("The GPU's memory does not do: choose a smaller batch, shorter texts, or gradient "
                            "checkpointing.", where="batch") from None  # fmt: skip
        position.parts *= 2
        self.bridge.callbacks.say(f"The GPU's memory does not do for a batch: each is worked off in {position.parts} "
                                  "parts from here on; the gradient is the same.")  # fmt: skip

    def floating_point_ops(self, inputs: Any) -> int:
        return 0  # is told nowhere

    # Scoring and keeping.

    def _evaluate(self, trial: Any, ignore_keys_for_eval: Any, skip_scheduler: bool = False) -> dict[str, float]:
        """Score the tune set; with `skip_scheduler` before the first update, as it was still due."""
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

    # Going on. The weights are there: the model was loaded from what was kept.

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
        """The end of an epoch is the end of its last update: nothing is left to do behind it."""
        bridge, options, step = self.bridge, self.bridge.options, state.global_step
        over = step % self._updates(state) == 0
        bridge.end_update()
        if step % SAY_EVERY == 0 or over:
            bridge.say(step, self.trainer.lr_scheduler.get_last_lr()[0])
        due = step == state.max_steps or (step % options.tune_every == 0 if options.tune_every else over)
        bridge.position.due = control.should_evaluate = due
        control.should_save = not due and step % options.keep_every == 0

    def _updates(self, state: Any) -> int:
        """Of an epoch."""
        return int(state.max_steps) // int(state.num_train_epochs)


def train(kind: type, net: Any, rows: Rows, collate: Callable[[Sequence[Any]], Inputs], bridge: Bridge) -> None:
    """Train a model; goes on from what was kept where the model was loaded from it. It ends with its last weights.

    Args:
        kind: A class of `Bridged` and one of transformers' Trainers.
        net: The model.
        rows: What it is trained on.
        collate: Makes a batch of rows: what the model takes, and "labels", where label t belongs to output t.
        bridge: Tells and keeps.

    Raises:
        Stopped: Somebody asked it to stop; what it goes on from is kept.
        UserError: The loss is no number any more, or memory does not do.
    """
    last, device = bridge.callbacks.kept("last"), local_device(bridge.callbacks.device)
    if bridge.position.done:
        return
    bridge.device = torch.device(device)
    trainer = kind(model=net, args=training_arguments(bridge.options, bridge.callbacks, device, bridge.group.size))
    trainer.bridge, trainer.rows, trainer.collate = bridge, rows, collate
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(Teller(trainer, bridge))
    try:
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
    """Nats over all labels (n, T) that are not -100, of logits (n, T, V)."""
    return cross_entropy(
        logits.float().flatten(0, 1), labels.flatten(), ignore_index=IGNORED, reduction="sum",
        label_smoothing=smoothing,
    )  # fmt: skip


def parts_of(inputs: Inputs, parts: int) -> Iterator[Inputs]:
    """The batch in so many parts of about one size, none of them empty."""
    size = -(-len(inputs["labels"]) // parts)
    for start in range(0, len(inputs["labels"]), size):
        yield {name: tensor[start : start + size] for name, tensor in inputs.items()}
