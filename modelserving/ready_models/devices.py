"""On what a model is trained or runs, on this machine."""

import gc
import sys

from foundation.errors import UserError
from modelserving.models import TrainingRun
from modelserving.transfer import Transfer

CPU = "cpu"


def devices_for(kind: Transfer, asked: str) -> list[str]:
    """Every device that a training takes: "cpu", or all GPUs that PyTorch sees. A UserError where there is no GPU."""
    if kind.device == CPU or asked == TrainingRun.Device.CPU:
        return [CPU]
    import torch

    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if not count and asked == TrainingRun.Device.CUDA:
        raise UserError("There is no GPU that PyTorch can use on this machine.", where="device")
    return [f"cuda:{number}" for number in range(count)] or [CPU]


def name_of(device: str) -> str:
    """ "cpu", or the GPU's own name."""
    if device == CPU:
        return CPU
    import torch

    return f"{torch.cuda.get_device_name(device)}, {device}"[:100]


def release_memory() -> None:
    """Give back what no object holds any more. PyTorch keeps a GPU's memory for itself, and the process lives on.

    Where nothing was put on a GPU nothing is begun there: a context would take some hundred megabytes of it.
    """
    gc.collect()
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        torch.cuda.empty_cache()
