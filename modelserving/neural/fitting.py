"""A kind of network, its data and its options put together with the trainer."""

from typing import TYPE_CHECKING, Any

import torch

from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData
from modelserving.training.process_group import join_process_group, local_device
from modelserving.training.trainer import Trainer, seed_of

if TYPE_CHECKING:
    from modelserving.neural.kind import NetworkModel, NetworkTransfer


def fitted(kind: "NetworkTransfer", data: TrainingData, options: Any, callbacks: Callbacks) -> "NetworkModel":
    """Train; goes on from what the callbacks kept."""
    device = local_device(callbacks.device)
    processes = join_process_group(device)
    words = kind.words_of(data, options)
    torch.manual_seed(seed_of(callbacks.seed, "weights"))
    net = kind.build(words, options)
    kind.begin(net, words, options)
    model = kind.model(net, words, options, kind.directions_of(data), device)
    batches = kind.batches(data, words, options, callbacks, processes)
    tuning = kind.tuning(model, data, options, callbacks)
    Trainer(net, batches, options, callbacks, model.save, tuning, processes, device).run()
    return model
