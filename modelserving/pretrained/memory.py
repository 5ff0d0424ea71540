"""Whether a model fits into the memory that is free, told from its size before any of it is loaded."""

from pathlib import Path

from foundation.errors import UserError

TRAINED, KEPT, HALF = 16, 4, 2  # bytes a number: weights, gradients and two moments of AdamW; weights; in bfloat16
GROUP = Path("/sys/fs/cgroup")
SPARE = 0.97  # of the free memory: what else is needed is not known before


def check_memory(numbers: int, bytes_each: float, device: str, where: str = "") -> None:
    """Refuse a model that does not fit.

    Args:
        numbers: How many numbers it has.
        bytes_each: Bytes that each takes, all in all.
        device: "cpu", or a GPU's name.
        where: The place for the error.

    Raises:
        UserError: It needs more than is free, with both figures.
    """
    needed, free = int(numbers * bytes_each), free_memory(device)
    if free is not None and needed > free * SPARE:
        raise UserError(
            "The model of {numbers:,.0f} million numbers needs about {needed:,.1f} GB of memory at "
            "least, and {free:,.1f} GB are free on this {device}.",
            numbers=numbers / 1e6,
            needed=needed / 1e9,
            free=free / 1e9,
            device="machine" if device == "cpu" else "GPU",
            where=where,
        )


def free_memory(device: str) -> int | None:
    """Bytes that are free; None where it cannot be told."""
    if device.startswith("cuda"):
        import torch

        return int(torch.cuda.mem_get_info(device)[0])
    found = [one for one in (_available(), _left_of_group(GROUP)) if one is not None]
    return min(found, default=None)


def _available() -> int | None:
    """Linux's own estimate."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        return None


def _left_of_group(group: Path) -> int | None:
    """What a container's limit leaves (control groups, version 2, then 1); files that are only cached count as free."""
    for most, used in (("memory.max", "memory.current"),
                       ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes")):  # fmt: skip
        try:
            limit = int((group / most).read_text())
            cached = _cached(group / most)
            return max(0, limit - int((group / used).read_text()) + cached) if limit < 1 << 60 else None
        except (OSError, ValueError):
            continue  # no such file, or "max"
    return None


def _cached(limit: Path) -> int:
    try:
        rows = dict(line.split() for line in (limit.parent / "memory.stat").read_text().splitlines())
        return int(rows.get("inactive_file", rows.get("total_inactive_file", 0)))
    except (OSError, ValueError):
        return 0
