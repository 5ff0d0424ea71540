"""On what a run was made, and what it took. Runs on other processors differ, since their sums round otherwise."""

import os
import platform
import time
from dataclasses import dataclass
from pathlib import Path

VECTORS = ("avx512f", "avx2", "avx", "asimd")
"""The instructions that sums over many numbers are made of, the widest first."""


def machine() -> str:
    """'2 processors (AMD EPYC, family 26 model 2, avx512f), Python 3.11.7', in one line."""
    return f"{os.cpu_count()} processors ({processor()}), Python {platform.python_version()}"


def hardware_key(device: str) -> dict[str, str | int]:
    """What a run's numbers depend on beside data, options and seed: it is part of the run's key."""
    return {"processor": processor(), "device": _device(device), "threads": threads()}


def threads() -> int:
    """How many threads a computation may take, as the command set it."""
    return int(os.environ.get("OMP_NUM_THREADS") or os.cpu_count() or 1)


@dataclass(frozen=True)
class ElapsedTime:
    """Seconds on the clock, and seconds of processors: of this process and of the programs that it ran."""

    clock: float = 0.0
    processor: float = 0.0

    def __add__(self, other: "ElapsedTime") -> "ElapsedTime":
        return ElapsedTime(self.clock + other.clock, self.processor + other.processor)

    def __sub__(self, other: "ElapsedTime") -> "ElapsedTime":
        return ElapsedTime(self.clock - other.clock, self.processor - other.processor)


def elapsed() -> ElapsedTime:
    """What was taken so far; differences of it mean something."""
    programs = os.times()
    return ElapsedTime(time.perf_counter(), time.process_time() + programs.children_user + programs.children_system)


def processor() -> str:
    """'AMD EPYC, family 26 model 2, avx512f': makers hide which of many processors one name stands for."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    return describe_processor(text)


def describe_processor(text: str) -> str:
    """The first processor of such a file, in a few words."""
    facts: dict[str, str] = {}
    for line in text.splitlines():
        name, _, value = line.partition(":")
        facts.setdefault(name.strip(), value.strip())
    parts = [facts.get("model name") or platform.machine()]
    if "cpu family" in facts and "model" in facts:
        parts.append(f"family {facts['cpu family']} model {facts['model']}")
    has = set(facts.get("flags", facts.get("Features", "")).split())
    return ", ".join([*parts, *[name for name in VECTORS if name in has][:1]])


def _device(name: str) -> str:
    """'cpu', or the graphics processor's own name behind its place."""
    if not name.startswith("cuda"):
        return name
    import torch

    return f"{name} ({torch.cuda.get_device_name(name)})"
