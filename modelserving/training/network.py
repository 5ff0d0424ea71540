"""What a network gives: the trainer its losses, the search its next words.

Shapes: n texts, k hypotheses of each, Tx words of the longest source, Ty of the longest target with END, V words known.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from torch import Tensor, nn

from foundation.options import Value
from modelserving.training.batches import Batch
from modelserving.training.vocabulary import BEGIN, PAD

Tensors = dict[str, Tensor]


@dataclass(frozen=True)
class Loss:
    """A loss of a batch: `total` nats over `count` things (words, texts), and the parameters that it moves.

    The trainer divides by the count over all processes, so a batch that is shared among them moves nothing else; its
    gradient by `over` where that is another one (of texts, where the curve is of words).
    `parameters` is None for all of its turn; with several losses each moves its own alone. The first of a batch's is
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
    """Parameters that an optimizer of their own moves, with a schedule of its own: of several in adversarial training.

    A training step takes a network's turns in order, each by losses of the weights that the one before left. `name` (of
    a-z and _) is given to `Network.turn_losses` and stands in names of files. `changes` are the fields of the
    `TrainingRecipe` that differ in it: optimizer, rate, clip, decay, schedule, warmup. It is taken in one of `every`
    updates, the first among them; or in those of whose number, from 0, `when` says so.
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
    """`memory`: what is known of each source, (n, ...) each. `state`: what changes with each word, (n, ...) each.

    They belong to one search, which goes on and never back: `step` may put into `memory` what later steps look up, and
    then finds by the state what is its own.
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
        """Whether losses are yet to count that will count in the end: patience begins when all do."""
        return False

    @property
    def label_smoothing(self) -> float:
        """That of its losses now: none where it is not trained, so perplexities are those of the texts themselves."""
        return self.smoothing if self.training else 0.0

    @abstractmethod
    def losses(self, batch: Batch) -> list[Loss]:
        """The losses of a batch with targets; those of words with `label_smoothing`."""

    def turns(self) -> Sequence[Turn]:
        """The turns of a training step, the one of the first loss first: here one, which moves everything."""
        return [Turn(list(self.parameters()))]

    def turn_losses(self, turn: str, batch: Batch) -> list[Loss]:
        """The losses of the turn of that name."""
        return self.losses(batch)

    @abstractmethod
    def start(self, batch: Batch) -> Start:
        """The sources read; where it knows styles, `batch.styles` are those to write in."""

    @abstractmethod
    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        """The next word after `last` (n*k,), BEGIN at first; k hypotheses of a source stand together.

        `state` (n*k, ...) is not changed. Ids from V on are words that were copied.
        """


def shift_right(targets: Tensor) -> Tensor:
    """What stands before each target: BEGIN, then the targets but the last. (n, Ty) -> (n, Ty)."""
    begin = torch.full_like(targets[:, :1], BEGIN)
    return torch.cat([begin, targets[:, :-1]], dim=1)


def not_padding(ids: Tensor) -> Tensor:
    """Where there is no padding: bool, of the same shape."""
    return ids != PAD
