"""Weights and optimizer states as safetensors files: names and numbers, no code."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, distributed, nn

from foundation.errors import UserError

FILE = "weights.safetensors"  # of a model that is kept


def write(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Write the tensors by their names. Those that lie in parts are written by the first of the processes."""
    if (found := whole(tensors)) is not None:
        save_file(found, path)


def whole(tensors: Mapping[str, Tensor]) -> dict[str, Tensor] | None:
    """The tensors on the CPU, those that lie in parts as `shards.whole` puts them together."""
    if (shards := _shards()) is not None:
        found: dict[str, Tensor] | None = shards.whole(tensors)
        return found
    return {name: one.detach().cpu().contiguous().clone() for name, one in tensors.items()}


def in_parts(net: nn.Module) -> bool:
    """Whether the network lies in parts on several processes."""
    return (shards := _shards()) is not None and bool(shards.is_sharded(net))


def _shards() -> Any:
    """The module of parts where there are several processes; to import it takes a second and 45 MB."""
    if not (distributed.is_available() and distributed.is_initialized()):
        return None
    from modelserving.training import shards

    return shards


def read(path: Path) -> dict[str, Tensor]:
    """The tensors of a file; a UserError where it is missing or not of safetensors."""
    try:
        return load_file(path)
    except (OSError, SafetensorError):
        raise UserError("The file of weights is missing or broken.", where=path.name) from None


def tensors_of(net: nn.Module) -> dict[str, Tensor]:
    """Parameters and buffers by their names, without buffers that follow from the network's sizes (not persistent)."""
    kept = net.state_dict()
    return dict(net.named_parameters()) | {name: one for name, one in net.named_buffers() if name in kept}


def fill(net: nn.Module, tensors: Mapping[str, Tensor]) -> None:
    """Fill the network with the values of the tensors, which have its names and shapes."""
    with torch.no_grad():
        for name, tensor in tensors_of(net).items():
            tensor.copy_(tensors[name])


def write_network(path: Path, net: nn.Module) -> None:
    write(path, tensors_of(net))


def read_network(path: Path, net: nn.Module, part: str = "") -> None:
    """Fill the network; a UserError where the file holds other names or shapes than it asks for.

    With a `part` it is filled with the file's tensors whose names begin so.
    """
    found = {name.removeprefix(part): one for name, one in read(path).items() if name.startswith(part)}
    if wrong := _misfit(found, tensors_of(net)):
        raise UserError("The weights do not fit the network: {wrong}.", wrong=wrong, where=path.name)
    fill(net, found)


def _misfit(found: Mapping[str, Tensor], asked: Mapping[str, Tensor]) -> str:
    """A sentence about the first misfit, by its name; "" where everything fits."""
    if missing := sorted(set(asked) - set(found)):
        return f"{missing[0]} is missing"
    if further := sorted(set(found) - set(asked)):
        return f"the network has no {further[0]}"
    for name in sorted(asked):
        if found[name].shape != asked[name].shape:
            return f"{name} is {_size(found[name])} where the network's is {_size(asked[name])}"
    return ""


def _as(value: Tensor, parameter: Tensor) -> Tensor:
    """The value in parts, if the parameter is."""
    shards = _shards()
    return value if shards is None else shards.like(value, parameter)


def _size(tensor: Tensor) -> str:
    return " by ".join(map(str, tensor.shape)) or "a number"


def write_optimizer(path: Path, net: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    """Write the optimizer's state of each parameter, as 'exp_avg:encoder.weight'."""
    write(path, {
        f"{key}:{name}": value
        for name, parameter in net.named_parameters()
        for key, value in optimizer.state.get(parameter, {}).items()
    })  # fmt: skip


def read_optimizer(path: Path, net: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    """Fill the optimizer by its own loading, which puts each state where a kernel wants it: a fused one's steps too."""
    groups = optimizer.state_dict()["param_groups"]
    numbers = {parameter: at for at, parameter in enumerate(one for g in optimizer.param_groups for one in g["params"])}
    parameters = dict(net.named_parameters())
    state: dict[int, dict[str, Tensor]] = {}
    for full, value in read(path).items():
        key, name = full.split(":", 1)
        state.setdefault(numbers[parameters[name]], {})[key] = _as(value, parameters[name])
    optimizer.load_state_dict({"state": state, "param_groups": groups})
