"""The mean of a network's last states, which is often better than any of them (Vaswani et al. 2017, section 6.1)."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import Tensor, nn

from modelserving.training import weights

FILE = "average-{}.safetensors"


class LastStates:
    """The weights at the last `size` tune scores, the oldest first, in the memory of the processor."""

    def __init__(self, size: int) -> None:
        self.states: deque[dict[str, Tensor]] = deque(maxlen=size)

    def add(self, net: nn.Module) -> None:
        if self.states.maxlen:
            self.states.append({name: one.detach().cpu().clone() for name, one in weights.tensors_of(net).items()})

    @contextmanager
    def with_newest(self, net: nn.Module) -> Iterator[None]:
        """The network's state among them; not, where the block is left by an error: it then comes again."""
        before = self.states.copy()
        self.add(net)
        try:
            yield
        except BaseException:
            self.states = before
            raise

    @contextmanager
    def mean_in(self, net: nn.Module) -> Iterator[None]:
        """The network with the mean of the states within the block, and with its own weights behind it."""
        own = {name: one.detach().cpu().clone() for name, one in weights.tensors_of(net).items()}
        weights.fill(net, self._mean())
        try:
            yield
        finally:
            weights.fill(net, own)

    def _mean(self) -> dict[str, Tensor]:
        """Of numbers; of what is none (a count), the newest."""
        newest = self.states[-1]
        return {
            name: torch.stack([state[name] for state in self.states]).mean(0) if one.is_floating_point() else one
            for name, one in newest.items()
        }

    def __len__(self) -> int:
        return len(self.states)

    def write(self, folder: Path) -> None:
        for number, state in enumerate(self.states, 1):
            weights.write(folder / FILE.format(number), state)

    def read(self, folder: Path) -> None:
        self.states.clear()
        number = 1
        while (path := folder / FILE.format(number)).exists():
            self.states.append(weights.read(path))
            number += 1
