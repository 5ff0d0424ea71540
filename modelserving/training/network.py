"""The outputs of a network: losses, which the trainer sums up, and next words for the search; and their types.

Shapes: n texts, k hypotheses of each, Tx words of the longest source, Ty of the longest target with END, V words known.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from foundation.options import Value
from modelserving.training.batches import Batch
from modelserving.training.tokenization import BEGIN, PAD

# The type of a network's matrix products: bfloat16 on a GPU that has it, float32 elsewhere.
#
# Weights, optimizer states and sums stay in float32. bfloat16 has float32's range, so no loss is scaled. LSTMs and GRUs
# stay out of it: PyTorch's autocast would run cuDNN's in float16, whose range is small, whatever type was asked for.


def autocast(device: str, precision: str = "auto") -> AbstractContextManager[object]:
    """The context of a forward pass on the device."""
    kind = device.partition(":")[0]
    if precision == "auto":
        has = kind == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
        precision = "bfloat16" if has else "float32"
    return torch.autocast(kind, dtype=torch.bfloat16) if precision == "bfloat16" else nullcontext()


def product_settings() -> tuple[Any, ...]:
    """PyTorch's settings of a GPU's products of float32 numbers: `fp32_precision` is "ieee" or "tf32"."""
    backends: Any = torch.backends
    return backends.cuda.matmul, backends.cudnn.rnn, backends.cudnn.conv


@contextmanager
def float32_products(device: str, precision: str = "auto") -> Iterator[None]:
    """A training's products of float32 numbers inside: with TF32, unless the precision is "float32".

    TF32 has float32's range and 10 bits of fraction, more than bfloat16's 7. It is a setting of the whole process, so
    it holds for the backward pass too.
    """
    if not device.startswith("cuda"):
        yield
        return
    kinds = product_settings()
    before = [kind.fp32_precision for kind in kinds]
    try:
        for kind in kinds:
            kind.fp32_precision = "ieee" if precision == "float32" else "tf32"
        yield
    finally:
        for kind, one in zip(kinds, before, strict=True):
            kind.fp32_precision = one


@contextmanager
def finite_attention() -> Iterator[None]:
    """A training's attention inside, by other kernels than cuDNN's.

    Under a mask the gradients of cuDNN's are no numbers on an H100 or H200 where a batch is 64 places longer than a
    multiple of 128 (PyTorch 2.11 to 2.13, its issue 196678); PyTorch's own kernels take about the same time.
    """
    backend: Any = torch.backends.cuda
    before = backend.cudnn_sdp_enabled()
    backend.enable_cudnn_sdp(False)
    try:
        yield
    finally:
        backend.enable_cudnn_sdp(before)


def in_float32(module: Callable[..., Any], *given: Any) -> Any:
    """A recurrent module's output, in float32 also under autocast. Inputs are tensors, tuples of tensors, or None."""
    device = next(one.device.type for one in given if isinstance(one, Tensor))
    if not torch.is_autocast_enabled(device):
        return module(*given)
    with torch.autocast(device, enabled=False):
        return module(*map(_float32, given))


def _float32(one: Any) -> Any:
    if isinstance(one, tuple):
        return tuple(map(_float32, one))
    return one.float() if isinstance(one, Tensor) and one.is_floating_point() else one


Tensors = dict[str, Tensor]


@dataclass(frozen=True)
class Loss:
    """A loss of a batch: `total` nats over `count` things (words, texts), and the parameters that it moves.

    The trainer divides by the count over all processes, so sharing a batch among them changes nothing. It divides the
    gradient by `over` where that is another count (of texts, where the curve is of words).
    `parameters` is None for all of its turn; with several losses each moves only its own. The first of a batch is
    'the' loss.
    """

    total: Tensor
    count: int
    name: str = "loss"
    parameters: Sequence[nn.Parameter] | None = None
    weight: float = 1.0
    over: int | None = None


@dataclass(frozen=True)
class Turn:
    """Parameters with an optimizer and a schedule of their own; adversarial training has several turns.

    A training step takes a network's turns in order, each by losses of the weights that the one before left. `name` (of
    a-z and _) is passed to `Network.turn_losses` and stands in names of files. `changes` are the fields of the
    `TrainingRecipe` that differ in it: optimizer, rate, clip, decay, schedule, warmup. It is taken in one of `every`
    updates, the first included, or in those whose number, from 0, `when` accepts.
    """

    parameters: Sequence[nn.Parameter]
    name: str = ""
    changes: Mapping[str, Value] = field(default_factory=dict)
    every: int = 1
    when: Callable[[int], bool] | None = None

    def taken(self, update: int) -> bool:
        """Whether it is taken in the update of this number, from 0."""
        return self.when(update) if self.when else update % self.every == 0


class Start(NamedTuple):
    """`memory`: the facts of each source, (n, ...) each. `state`: the values that change with each word, (n, ...) each.

    They belong to one search, which never goes back: `step` may put values into `memory` for later steps, which find
    their own by the state.
    """

    memory: Tensors
    state: Tensors


class Step(NamedTuple):
    """`scores` (n*k, V or V + copies): log-probabilities, a new tensor, which the search may change.

    `attention` (n*k, Tx) sums to 1, or is None.
    """

    scores: Tensor
    attention: Tensor | None
    state: Tensors


class Network(nn.Module, ABC):
    """A network that reads a text and writes one, a word at a time."""

    attends: bool = True
    """Whether its steps give attention."""
    smoothing: float = 0.0
    """The label smoothing of a training, which sets it."""
    updates: int = 0
    """How many updates of a training came before this one, which sets it: what is pretrained or cools goes by it."""
    epochs: int = 0
    """How many whole epochs came before, likewise."""

    @property
    def annealing(self) -> bool:
        """Whether some losses do not count yet that will in the end: patience begins when all do."""
        return False

    @property
    def label_smoothing(self) -> float:
        """The label smoothing of its losses now; none in evaluation: perplexities are those of the texts themselves."""
        return self.smoothing if self.training else 0.0

    @abstractmethod
    def losses(self, batch: Batch) -> list[Loss]:
        """The losses of a batch with targets; the losses of words have `label_smoothing`."""

    def turns(self) -> Sequence[Turn]:
        """The turns of a training step, that of the first loss first: here one, which moves everything."""
        return [Turn(list(self.parameters()))]

    def turn_losses(self, turn: str, batch: Batch) -> list[Loss]:
        """The losses of the turn of that name."""
        return self.losses(batch)

    @abstractmethod
    def start(self, batch: Batch) -> Start:
        """Read the sources; if the network knows styles, `batch.styles` are those to write in."""

    @abstractmethod
    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        """The next word after `last` (n*k,), BEGIN at first; k hypotheses of a source stand together.

        `state` (n*k, ...) is not changed. Ids from V on are words that were copied.
        """


def shift_right(targets: Tensor) -> Tensor:
    """The word before each target: BEGIN, then the targets but the last. (n, Ty) -> (n, Ty)."""
    begin = torch.full_like(targets[:, :1], BEGIN)
    return torch.cat([begin, targets[:, :-1]], dim=1)


def not_padding(ids: Tensor) -> Tensor:
    """The places without padding: bool, of the same shape."""
    return ids != PAD


def written_places(batch: Batch) -> Tensor:
    """The places of the targets' words in (n * Ty,), in order: of the lengths, so that nobody waits for a GPU."""
    there = np.arange(batch.targets.shape[1]) < batch.target_lengths.numpy()[:, None]
    return torch.from_numpy(np.flatnonzero(there)).to(batch.targets.device, non_blocking=True)


def written_only(rows: Tensor, places: Tensor) -> Tensor:
    """The rows at the targets' words, (m, ...) of (n, Ty, ...)."""
    return rows.flatten(0, 1)[places]


# Losses of several parts of a batch, and their gradients, as if they came from the whole.


@dataclass
class Totals:
    """The sum of each loss over all batches and processes, (L,) on the device: to read it is to wait for the device.

    `counts` are those that the trainer averages by; `split` says whether a batch had to be cut into parts.
    """

    names: Sequence[str]
    totals: Tensor
    counts: Tensor
    split: Tensor


class LossSums:
    """Losses and their gradients summed up, each loss divided by its count in the first part.

    To divide by the whole count at once would need all parts beforehand; `divide` does it at the end. With `several`
    losses the parts may have other proportions in each, so their gradients stay apart until then.
    """

    def __init__(self, turn: Turn, several: bool) -> None:
        self.parameters = list(turn.parameters)
        self.names: list[str] = []
        self.totals: list[Tensor] = []
        self.counts: list[float] = []
        self.overs: list[float] = []
        self._divisors: list[float] = []
        self._several = several
        self._apart: list[list[Tensor | None]] = []
        self._own = {id(parameter) for parameter in self.parameters}
        self._take([None] * len(self.parameters))

    def add(self, losses: Sequence[Loss], idle: bool) -> None:
        """Add the losses of a part; those of an `idle` one count nothing."""
        if not self._divisors:
            self._begin(losses, idle)
        apart = self._several and len(losses) > 1
        groups = [[place] for place in range(len(losses))] if apart else self._of_equal_parameters(losses)
        for number, places in enumerate(groups):
            if apart:
                self._take(self._apart[places[0]])
            shares = [self._share(losses[place], place, idle) for place in places]
            if moved := self._moved(losses[places[0]]):
                torch.autograd.backward(shares, retain_graph=number + 1 < len(groups), inputs=moved)
            if apart:
                self._apart[places[0]] = [one.grad for one in self.parameters]
        if not idle:
            self._count(losses)

    def _of_equal_parameters(self, losses: Sequence[Loss]) -> list[list[int]]:
        """The places of losses that move the same parameters: they go backward together, once through shared parts."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for place, loss in enumerate(losses):
            groups.setdefault(tuple(map(id, self._moved(loss))), []).append(place)
        return list(groups.values())

    def _share(self, loss: Loss, place: int, idle: bool) -> Tensor:
        return loss.weight * (loss.total * 0.0 if idle else loss.total) / self._divisors[place]

    def _begin(self, losses: Sequence[Loss], idle: bool) -> None:
        self.names = [loss.name for loss in losses]
        self.totals = [torch.zeros_like(loss.total, dtype=torch.float64) for loss in losses]
        self.counts, self.overs = [0.0] * len(losses), [0.0] * len(losses)
        self._divisors = [1.0 if idle else max(1.0, _over(loss)) for loss in losses]
        self._apart = [[None] * len(self.parameters) for _ in losses]

    def _count(self, losses: Sequence[Loss]) -> None:
        for place, loss in enumerate(losses):
            self.totals[place] = self.totals[place] + loss.total.detach()
            self.counts[place] += loss.count
            self.overs[place] += _over(loss)

    def _moved(self, loss: Loss) -> list[nn.Parameter]:
        moved = self.parameters if loss.parameters is None else loss.parameters
        return [one for one in moved if one.requires_grad and id(one) in self._own]

    def _take(self, gradients: Sequence[Tensor | None]) -> None:
        for parameter, gradient in zip(self.parameters, gradients, strict=True):
            parameter.grad = gradient

    def divide(self, overs: Sequence[float] | Tensor) -> None:
        """Set the parameters' gradients to those of the losses, each divided by its whole count, (L,)."""
        shares = self._shares(overs)
        if self._several and len(shares) > 1:
            for place, parameter in enumerate(self.parameters):
                parameter.grad = _weighted_sum([gradients[place] for gradients in self._apart], shares)
        elif isinstance(shares[0], Tensor) or shares[0] != 1.0:
            moved = [one.grad for one in self.parameters if one.grad is not None]
            torch._foreach_mul_(moved, shares[0])

    def _shares(self, overs: Sequence[float] | Tensor) -> Sequence[float | Tensor]:
        if isinstance(overs, Tensor):
            divisors = torch.tensor(self._divisors, dtype=torch.float64, device=overs.device)
            return list((divisors / overs.clamp_min(1.0)).float().unbind())
        return [divisor / max(1.0, over) for divisor, over in zip(self._divisors, overs, strict=True)]


def _weighted_sum(gradients: Sequence[Tensor | None], shares: Sequence[float | Tensor]) -> Tensor | None:
    there = [one * share for one, share in zip(gradients, shares, strict=True) if one is not None]
    return torch.stack(there).sum(0) if there else None


def _over(loss: Loss) -> float:
    return float(loss.count if loss.over is None else loss.over)
