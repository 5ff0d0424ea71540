"""Versions, device, driver, memory: the background of every other row."""

import os
import platform
import shutil
import subprocess
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import torch

from tools.gpucheck.settings import CheckSettings

PACKAGES = ("numpy", "safetensors", "transformers", "tokenizers", "peft", "accelerate", "bitsandbytes", "triton")
VARIABLES = (
    "CUDA_VISIBLE_DEVICES",
    "NVIDIA_VISIBLE_DEVICES",
    "PYTORCH_CUDA_ALLOC_CONF",
    "PYTORCH_ALLOC_CONF",
    "NCCL_DEBUG",
)
GIGABYTE = 2**30


def check(settings: CheckSettings) -> dict[str, Any]:
    """The facts about the machine; the device's own part only where there is a GPU."""
    found: dict[str, Any] = {
        "device name": platform.processor() or platform.machine(),
        "system": platform.platform(), "python": platform.python_version(), "torch": torch.__version__,
        "cores": os.cpu_count(), "threads of torch": torch.get_num_threads(),
        "memory, GiB": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / GIGABYTE, 1),
        "packages": _packages(), "variables": {name: os.environ[name] for name in VARIABLES if name in os.environ},
    }  # fmt: skip
    return found | (_gpu(settings.device) if settings.on_gpu else {})


def _packages() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def _gpu(device: str) -> dict[str, Any]:
    about = torch.cuda.get_device_properties(device)
    free, total = torch.cuda.mem_get_info(device)
    found: dict[str, Any] = {
        "device name": about.name, "devices": torch.cuda.device_count(),
        "compute capability": f"{about.major}.{about.minor}", "multiprocessors": about.multi_processor_count,
        "memory of the device, GiB": round(total / GIGABYTE, 1), "free, GiB": round(free / GIGABYTE, 1),
        "cuda of torch": torch.version.cuda, "cudnn": torch.backends.cudnn.version(),  # type: ignore[no-untyped-call]
        "bfloat16": torch.cuda.is_bf16_supported(including_emulation=False),
        "architectures of torch": " ".join(torch.cuda.get_arch_list()),
    }  # fmt: skip
    with suppress(Exception):  # a build without NCCL
        found["nccl"] = ".".join(map(str, torch.cuda.nccl.version()))  # type: ignore[no-untyped-call]
    return found | _driver()


def _driver() -> dict[str, str]:
    """The output of nvidia-smi, where it is."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return {}
    asked = "driver_version,compute_mode,mig.mode.current,power.limit,ecc.mode.current,clocks.max.sm"
    with suppress(OSError, subprocess.SubprocessError):
        said = subprocess.run(
            [program, f"--query-gpu={asked}", "--format=csv,noheader"], capture_output=True, text=True, timeout=30,
            check=True,
        ).stdout.splitlines()  # fmt: skip
        return {f"nvidia-smi {name}": one for name, one in zip(asked.split(","), said[0].split(", "), strict=False)}
    return {}
