"""A kind of network, its data and its options put together with the trainer."""

from typing import TYPE_CHECKING, Any

import torch

from modelserving.training.data import Data
from modelserving.training.parallel import group, local_device
from modelserving.training.trainer import Trainer, seed_of
from modelserving.training.watch import Watch

if TYPE_CHECKING:
    from modelserving.transfer._network import NetworkModel, NetworkTransfer


def fitted(kind: "NetworkTransfer", data: Data, options: Any, watch: Watch) -> "NetworkModel":
    """Train; goes on from what the watch kept."""
    device = local_device(watch.device)
    processes = group(device)
    words = kind.words_of(data, options)
    torch.manual_seed(seed_of(watch.seed, "weights"))
    net = kind.build(words, options)
    kind.begin(net, words, options)
    model = kind.model(net, words, options, kind.directions_of(data), device)
    batches = kind.batches(data, words, options, watch, processes)
    tuning = kind.tuning(model, data, options, watch)
    Trainer(net, batches, options, watch, model.save, tuning, processes, device).run()
    return model
