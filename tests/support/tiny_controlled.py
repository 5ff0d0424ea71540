"""A small network of controlled generation with weights that are the same everywhere, and texts for it."""

import torch

from modelserving.nets.controlled_gen import ControlledGen, Objective, Sizes
from modelserving.training.batches import Batch, pad

ATTENDING = Sizes(words=9, embedding=3, hidden=5, content=3, style=2, filters=2, variational=False)
VARIATIONAL = Sizes(words=9, embedding=3, hidden=5, content=4, style=2, filters=2)
TEXTS = [[4, 5, 6, 8], [7, 8, 4, 4], [5, 5, 4, 8]]


def made(sizes: Sizes, objective: Objective, scale: float = 0.7) -> ControlledGen:
    """Weights are sines of their places, times the scale."""
    net = ControlledGen(sizes, objective)
    with torch.no_grad():
        for place, parameter in enumerate(net.parameters()):
            values = torch.arange(parameter.numel(), dtype=torch.float64)
            parameter.copy_(scale * torch.sin(values * 1.7 + place).view(parameter.shape))
    return net


def batch(styles: list[int], texts: list[list[int]] | None = None) -> Batch:
    given = (texts or TEXTS)[: len(styles)]
    return Batch(*pad(given), *pad(given, end=True), styles=torch.tensor(styles))
