"""Gaussians of independent numbers, each told by its means and the logarithms of its variances, (n, Z) both."""

import math

import torch
from torch import Tensor


def kl_from_standard(mean: Tensor, log_variance: Tensor) -> Tensor:
    """KL(N(mean, variance) || N(0, 1)) of each row (n,), in nats (Kingma and Welling 2014, appendix B)."""
    return 0.5 * (log_variance.exp() + mean.square() - 1 - log_variance).sum(-1)


def negative_log_density(value: Tensor, mean: Tensor, log_variance: Tensor) -> Tensor:
    """-log N(value; mean, variance) of each row (n,), in nats."""
    squares = (value - mean).square() * (-log_variance).exp()
    return 0.5 * (squares + log_variance + math.log(2 * math.pi)).sum(-1)


def draw(mean: Tensor, log_variance: Tensor) -> Tensor:
    """A value of each (n, Z), through which the gradient goes to both."""
    return mean + torch.randn_like(mean) * (0.5 * log_variance).exp()
