"""Weights and optimizer states as safetensors files: names and numbers, nothing that is run."""

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from foundation.errors import UserError

FILE = "weights.safetensors"  # of a model that is kept


def write(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """The tensors by their names; those that are one and the same are written once each."""
    save_file({name: one.detach().cpu().contiguous().clone() for name, one in tensors.items()}, path)


def read(path: Path) -> dict[str, Tensor]:
    """A UserError where the file is missing or none of safetensors."""
    try:
        return load_file(path)
    except (OSError, SafetensorError):
        raise UserError("The file of weights is missing or broken.", where=path.name) from None


def write_network(path: Path, net: nn.Module) -> None:
    write(path, dict(net.named_parameters()) | dict(net.named_buffers()))


def read_network(path: Path, net: nn.Module) -> None:
    """Fill the network; a UserError where the file holds other names or shapes than it asks for."""
    found, asked = read(path), dict(net.named_parameters()) | dict(net.named_buffers())
    wrong = set(found) ^ set(asked) or {name for name in asked if found[name].shape != asked[name].shape}
    if wrong:
        raise UserError(f"The weights do not fit the network, {min(wrong)} for one.", where=path.name)
    with torch.no_grad():
        for name, tensor in asked.items():
            tensor.copy_(found[name])


def write_optimizer(path: Path, net: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    """What it remembers of each parameter, as 'exp_avg:encoder.weight'."""
    write(path, {
        f"{key}:{name}": value
        for name, parameter in net.named_parameters()
        for key, value in optimizer.state.get(parameter, {}).items()
    })  # fmt: skip


def read_optimizer(path: Path, net: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    parameters = dict(net.named_parameters())
    for full, value in read(path).items():
        key, name = full.split(":", 1)
        parameter = parameters[name]
        optimizer.state[parameter][key] = value if key == "step" else value.to(parameter.device)
