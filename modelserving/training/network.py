"""What a network gives: the trainer its losses, the search its next words.

Shapes: n texts, k hypotheses of each, Tx words of the longest source, Ty of the longest target with END, V words known.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from modelserving.training.batches import Batch
from modelserving.training.vocabulary import BEGIN, PAD

Tensors = dict[str, Tensor]


@dataclass(frozen=True)
class Loss:
    """A loss of a batch: `total` nats over `count` things (words, texts), and the parameters that it moves.

    The trainer divides by the count over all processes, so a batch that is shared among them moves nothing else; its
    gradient by `over` where that is another one (of texts, where the curve is of words).
    `parameters` is None for all; with several losses each moves its own alone. The first of a batch's is 'the' loss.
    """

    total: Tensor
    count: int
    name: str = "loss"
    parameters: Sequence[nn.Parameter] | None = None
    weight: float = 1.0
    over: int | None = None


class Start(NamedTuple):
    """`memory`: what is known of each source, (n, ...) each. `state`: what changes with each word, (n, ...) each."""

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

    @abstractmethod
    def losses(self, batch: Batch) -> list[Loss]:
        """The losses of a batch with targets."""

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
