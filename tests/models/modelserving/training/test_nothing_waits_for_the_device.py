"""An update of a training on a GPU reads nothing from it: counted by the operations that would wait for it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from support.adversaries import made_batches
from torch.utils._python_dispatch import TorchDispatchMode

from modelserving.nets.recurrent import AttentionNetwork, GlobalAttentionNetwork, Shape
from modelserving.nets.transformer import Transformer, TransformerSizes
from modelserving.training.batches import Batches
from modelserving.training.callbacks import Callbacks
from modelserving.training.network import Network
from modelserving.training.recipe import TrainingRecipe
from modelserving.training.trainer import Trainer

ATEN = torch.ops.aten
BUILDS: dict[str, Callable[[], Network]] = {
    "attention": lambda: AttentionNetwork(Shape(12, 12, 6, 5, layers=2)),
    "global attention": lambda: GlobalAttentionNetwork(Shape(12, 12, 6, 5, layers=2)),
    "transformer": lambda: Transformer(TransformerSizes(12, 12, 8, 1, 2, 16)),
}


class Waits(TorchDispatchMode):
    """Counts operations whose outcome, or its size, the processor must know. Lengths, which lie there, are integers."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        of_numbers = func is ATEN._local_scalar_dense.default and args[0].dtype is not torch.int64
        by_mask = func is ATEN.index.Tensor and any(one is not None and one.dtype is torch.bool for one in args[1])
        if of_numbers or by_mask or func in (ATEN.nonzero.default, ATEN.masked_select.default):
            self.found.append(str(func))
        return func(*args, **(kwargs or {}))


def trainer(net: Network, batches: Batches, folder: Path) -> Trainer:
    made = Trainer(net, batches, TrainingRecipe(), Callbacks(folder), lambda folder: None)
    made.settled_at_once = False
    return made


@pytest.mark.parametrize("name", BUILDS)
def test_twenty_updates_wait_once(name: str, tmp_path: Path) -> None:
    made = trainer(BUILDS[name](), made_batches(tmp_path / "ids", 3), tmp_path)
    parts = made._loaded([made.batches.order(0)[0]])
    made.updates.take(parts, made.position)
    with Waits() as waits:
        for _ in range(20):
            made.updates.take(parts, made.position)
    assert waits.found == []
    made.updates.settle(made.position)
    assert made.position.counts["loss"] == 21 * int(parts[0].batch.target_lengths.sum())
