"""Losses, gradients and output texts of every network, on the device beside the CPU."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from modelserving.nets.beam_search import beam_search
from modelserving.training.batches import Batch
from modelserving.training.network import Network, autocast, product_settings
from modelserving.training.recipe import BeamSearchOptions
from tools.gpucheck.examples import batch, made, networks
from tools.gpucheck.measured import errors_kept
from tools.gpucheck.settings import CheckFailed, CheckSettings

TOLERANCE = {"float32": 2e-4, "bfloat16": 1e-1}  # of a loss, and of a gradient's length
OTHER_TEXTS = 0.5  # at most: two words may be as likely, and one in another order of sums then likelier


def check(settings: CheckSettings) -> dict[str, Any]:
    """The errors of each network in float32 and bfloat16, and the share of equal texts of greedy and beam search."""
    for kind in product_settings():
        kind.fp32_precision = "ieee"
    count, longest, words = (6, 9, 40) if settings.small else (32, 40, 8000)
    given = batch(count, longest, words)
    found: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for name, build in networks(settings.small).items():
        with errors_kept(wrong, name):
            found[name] = _compared(build, given, settings.device)
            far = {what: error for what, error in found[name].items() if error > _bound(what)}
            if far:
                wrong[name] = ", ".join(f"{what} {error:.2g}" for what, error in far.items())
    if wrong:
        raise CheckFailed("; ".join(f"{name}: {why}" for name, why in wrong.items()), found)
    return found


def _bound(what: str) -> float:
    return next((bound for name, bound in TOLERANCE.items() if what.startswith(name)), OTHER_TEXTS)


def _compared(build: Callable[[], Network], given: Batch, device: str) -> dict[str, float]:
    exact_losses, exact = _gradients(made(build), given, "cpu", "float32")
    found: dict[str, float] = {}
    for precision in TOLERANCE:
        losses, gradients = _gradients(made(build).to(device), given, device, precision)
        found[f"{precision}, losses"] = max(map(_far, losses, exact_losses))
        found[f"{precision}, gradients"] = _far(_flat(gradients), _flat(exact))
    for beam in (1, 4):
        ours, theirs = (_written(made(build).to(one), given, one, beam) for one in (device, "cpu"))
        found[f"other texts, beam {beam}"] = sum(map(list.__ne__, ours, theirs)) / len(ours)
    return found


def _gradients(net: Network, given: Batch, device: str, precision: str) -> tuple[list[Tensor], list[Tensor]]:
    """Each loss, and the gradient of their sum in each parameter; all on the CPU."""
    net.train()
    with autocast(device, precision):
        losses = net.losses(given.to(device))
    parameters = list(net.parameters())
    total = torch.stack([one.total for one in losses]).sum()
    gradients = torch.autograd.grad(total, parameters, allow_unused=True)
    there = [
        torch.zeros_like(one) if gradient is None else gradient
        for one, gradient in zip(parameters, gradients, strict=True)
    ]
    return [one.total.detach().float().cpu() for one in losses], [one.float().cpu() for one in there]


def _flat(gradients: list[Tensor]) -> Tensor:
    return torch.cat([one.flatten() for one in gradients])


def _far(found: Tensor, exact: Tensor) -> float:
    """The distance of a gradient from the other, as a part of its length."""
    far = (found.double() - exact.double()).norm() / exact.double().norm().clamp_min(1e-12)
    return float(far) if torch.isfinite(far) else float("inf")


def _written(net: Network, given: Batch, device: str, beam: int) -> list[list[int]]:
    with torch.inference_mode():
        options = BeamSearchOptions(beam=beam, longest=20)
        return [one.ids for one in beam_search(net.eval(), given.to(device), options)]
