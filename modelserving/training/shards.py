"""A network whose weights, gradients and optimizer's state lie in parts on several processes (FSDP2).

Zhao et al. (2023), by PyTorch's `fully_shard`: a layer is put together where it computes, and taken apart behind it.
"""

from collections.abc import Mapping

import torch
from torch import Tensor, distributed, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor


def shard(net: nn.Module, device: str) -> nn.Module:
    """Leave to each process its part of the network's layers, on its device.

    Args:
        net: A model of transformers, the same in every process; it may lie on the CPU, and changes its class.
        device: This process's own.
    """
    mesh = init_device_mesh(torch.device(device).type, (distributed.get_world_size(),))
    layers = set(getattr(net, "_no_split_modules", None) or ())
    for one in [module for module in net.modules() if type(module).__name__ in layers]:
        fully_shard(one, mesh=mesh)
    fully_shard(net, mesh=mesh)
    return net


def is_sharded(net: nn.Module) -> bool:
    return isinstance(net, FSDPModule)


def whole(tensors: Mapping[str, Tensor]) -> dict[str, Tensor] | None:
    """The tensors on the CPU, put together; None but in the first process. Every process calls it at the same place.

    Tensors that do not lie in parts are copied, in any process.
    """
    parted = any(isinstance(one, DTensor) for one in tensors.values())
    keeps = not parted or distributed.get_rank() == 0
    found = {}
    for name, one in tensors.items():
        full = one.full_tensor() if isinstance(one, DTensor) else one
        if keeps:
            found[name] = full.detach().cpu().contiguous().clone()
    return found if keeps else None


def like(value: Tensor, parameter: Tensor) -> Tensor:
    """The value in parts as the parameter lies, if it does and is of its shape."""
    if not isinstance(parameter, DTensor) or value.shape != parameter.shape:
        return value
    return distribute_tensor(value.to(parameter.device), parameter.device_mesh, parameter.placements)
