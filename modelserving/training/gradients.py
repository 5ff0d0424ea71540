"""The gradient of a turn's losses over the batches of an update, each in parts that fit into memory.

With several batches (accumulation), several processes, or a batch in parts, the gradient is that of one batch of all:
each loss is divided by its count over all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import nn

from foundation.errors import UserError
from foundation.seeds import generator
from modelserving.training.batches import Batch, Batches, Rows
from modelserving.training.callbacks import Stopped
from modelserving.training.network import (
    Loss,
    LossSums,
    Network,
    Totals,
    Turn,
    autocast,
    finite_attention,
    float32_products,
)
from modelserving.training.process_group import ProcessGroup, raise_or_sum
from modelserving.training.products import quick_layers


@dataclass(frozen=True)
class Part:
    """A batch, or a part of it.

    `idle`: this process has no row of the batch; it then computes one row that does not count. `seed` seeds its chance;
    None where its chance continues that of the part before.
    """

    rows: Rows
    batch: Batch
    idle: bool = False
    seed: int | None = None


class Gradients:
    """Computes gradients on a device. `split` is True once a batch did not fit into memory in this process."""

    def __init__(
        self, net: Network, batches: Batches, group: ProcessGroup, seed: int, device: str = "cpu",
        precision: str = "auto",
    ) -> None:  # fmt: skip
        self.net, self.batches, self.group, self.seed = net, batches, group, seed
        self.device, self.precision = device, precision
        self.split = False
        self._at = 0

    def load(self, batch: Rows) -> Part:
        """This process's part of a batch."""
        mine = batch[self.group.rank :: self.group.size]
        return self._loaded(mine if len(mine) else batch[:1], not len(mine))

    def _loaded(self, rows: Rows, idle: bool) -> Part:
        batch = self.batches.batch(rows)
        return Part(rows, batch.pin() if self.device.startswith("cuda") else batch, idle)

    def of(self, turn: Turn, loaded: Sequence[Part], step: int, met: Stopped | UserError | None = None) -> Totals:
        """Leave the gradient in the turn's parameters; if memory does not suffice, begin again with smaller parts.

        Several processes wait for each other once, and hear of an error that one has `met` before or meets now.

        Args:
            turn: Says the losses and the parameters.
            loaded: This process's parts of the batches.
            step: The number of the first batch: chance comes from it.
            met: Raised in all processes.
        """
        parts = [replace(part, seed=self._seed(turn, step + place)) for place, part in enumerate(loaded)]
        work: LossSums | None = None
        if met is None:
            try:
                work = self._fitting(turn, parts)
            except UserError as error:
                met = error
        moved = [one for one in turn.parameters if one.requires_grad]
        there = raise_or_sum(self.group, met, [float(one.grad is not None) for one in moved], self.device)
        assert work is not None  # otherwise something was met, and raised
        return self._together(work, [one for one, count in zip(moved, there, strict=True) if count])

    def _fitting(self, turn: Turn, parts: Sequence[Part]) -> LossSums:
        """The losses of the parts, or of smaller ones that fit into memory."""
        while True:
            try:
                work = LossSums(turn, len(parts) > 1 or self.group.size > 1)
                with float32_products(self.device, self.precision), finite_attention(), quick_layers(self.net):
                    for self._at, part in enumerate(parts):
                        work.add(self._losses(turn, part), part.idle)
                return work
            except torch.OutOfMemoryError:
                del work
            parts = self._halved(turn, parts)

    def _seed(self, turn: Turn, step: int) -> int:
        return seed_of(self.seed, "batch", step, *filter(None, (turn.name, self.group.rank)))

    def _losses(self, turn: Turn, part: Part) -> list[Loss]:
        if part.seed is not None:
            seed_torch(part.seed)
        self.net.train()
        batch = part.batch.to(self.device)
        with autocast(self.device, self.precision):
            return self.net.turn_losses(turn.name, batch)

    def _halved(self, turn: Turn, parts: Sequence[Part]) -> list[Part]:
        """The parts, with the one that did not fit halved."""
        large = parts[self._at]
        for parameter in turn.parameters:
            parameter.grad = None
        if len(large.rows) < 2:
            raise UserError(_too_long(large.batch, self.device), where="train")
        if self.device.startswith("cuda"):
            torch.cuda.empty_cache()
        self.split = True
        middle = len(large.rows) // 2
        first = replace(self._loaded(large.rows[:middle], large.idle), seed=large.seed)
        second = self._loaded(large.rows[middle:], large.idle)
        return [*parts[: self._at], first, second, *parts[self._at + 1 :]]

    def _together(self, work: LossSums, moved: Sequence[nn.Parameter]) -> Totals:
        """The sum over all processes; `moved` have a gradient in one of them."""
        size = len(work.names)
        numbers = torch.tensor(
            [*work.counts, *work.overs, float(self.split)], dtype=torch.float64, device=self.device
        )  # fmt: skip
        whole = self.group.sum_tensor(torch.cat([numbers, torch.stack(work.totals)]))
        work.divide(work.overs if self.group.size == 1 else whole[size : 2 * size])
        self.group.sum_gradients(moved)
        return Totals(work.names, whole[2 * size + 1 :], whole[:size], whole[2 * size])


def _too_long(batch: Batch, device: str) -> str:
    words = max(int(batch.source_lengths.max()), int(batch.target_lengths.max()) if len(batch.target_lengths) else 0)
    return (
        f"A single text of {words:,} tokens does not fit into the memory of {device}: lower 'longest', or make the "
        "network smaller."
    )


def seed_torch(seed: int) -> None:
    """Seed PyTorch's generators: without a GPU that of the processor alone.

    For a GPU that is not there PyTorch notes the whole stack of who asked, which takes half a millisecond of a batch.
    """
    if torch.accelerator.is_available():
        torch.manual_seed(seed)
    else:
        torch.default_generator.manual_seed(seed)


def seed_of(seed: int, *path: object) -> int:
    return int(generator(seed, *path).integers(2**63 - 1))
