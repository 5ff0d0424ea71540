"""The folders below RESTYLE_MODELS that hold a model of transformers, and whether the memory suffices for one."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from foundation.base_folder import KIND, TOKENIZER, BaseFolder, base_folder
from foundation.errors import UserError
from foundation.local_resources import VARIABLE, models_root
from foundation.model_folders import BETWEEN, HUB, hub_snapshot, required_folder
from foundation.translation import translate
from modelserving.pretrained.subwords import Subwords

# The folder of a pretrained encoder (BERT and those of its form), checked before anything of it is loaded.

ENCODERS = ("bert", "distilbert", "electra", "roberta")
AFTER_PADDING = ("roberta",)  # count their positions from behind that of padding
ENDS = 2  # special tokens at the ends of a text
USUAL, USUAL_WIDTH = 512, 768  # positions and size of the states, where the configuration does not say


def encoder_folder(name: str, where: str = "folder") -> BaseFolder:
    """Look at a folder below RESTYLE_MODELS; a UserError where it holds no encoder that can be loaded."""
    return base_folder(name, ENCODERS, where)


def most_pieces(folder: BaseFolder) -> int:
    """Pieces of a text that the encoder can read at most, the special tokens at its ends not counted."""
    before = int(folder.config.get("pad_token_id") or 0) + 1 if folder.architecture in AFTER_PADDING else 0
    return max(1, (folder.positions or USUAL) - before - ENDS)


def width(folder: BaseFolder) -> int:
    """The size of the encoder's states."""
    return int(folder.config.get("dim" if folder.architecture == "distilbert" else "hidden_size") or USUAL_WIDTH)


def piece_lengths(folder: str, texts: Iterable[str]) -> list[int]:
    """How many pieces each text has for the encoder of a folder below RESTYLE_MODELS; raises as `token_lengths`."""
    subwords = Subwords(required_folder(folder, "folder", KIND) / TOKENIZER)
    return [max(0, length - ENDS) for length in subwords.lengths(texts)]


# Whether a model fits into the free memory, judged by its size before any of it is loaded.

TRAINED, KEPT, HALF = 16, 4, 2  # bytes a number: weights, gradients and two moments of AdamW; weights; in bfloat16
QUARTER = 0.6  # of a model in 4 bits, with its scales
GROUP = Path("/sys/fs/cgroup")
SPARE = 0.97  # of the free memory: the other needs are not known before


def check_memory(numbers: int, bytes_each: float, device: str, where: str = "") -> None:
    """Refuse a model that does not fit.

    Args:
        numbers: The count of its parameters.
        bytes_each: Bytes for each of them, all in all.
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
    """Free bytes; None where they are unknown."""
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
    """The bytes left under a container's limit (control groups, version 2, then 1); caches of files count as free."""
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


LARGEST_CONFIG = 4_000_000  # bytes
MOST = 200  # folders that are looked at
GUIDE = "docs/pretrained.md"


@dataclass(frozen=True)
class ModelFolder:
    """A folder, its transformers' model_type ("" where it is unknown), and the bytes of its weights."""

    name: str
    architecture: str
    size: int


def folders_of(architectures: Sequence[str] = ()) -> list[ModelFolder]:
    """The folders of these architectures, or of any, by name.

    A folder may lie within another (`google/t5-base`), or in a hub's cache.
    """
    root = models_root()
    if root is None:
        return []
    found = [_looked_at(name, path) for name, path in sorted(_folders(root).items())[:MOST]]
    return [one for one in found if not architectures or one.architecture in architectures]


def why_none(label: str, architectures: Sequence[str]) -> str:
    """The sentence where there is no folder of these architectures; "" where there is one."""
    if folders_of(architectures):
        return ""
    if models_root() is None:
        return translate(
            "{label} needs a pretrained model, and {variable} names no folder on this machine; {guide} says how a "
            "model is brought here.", label=label, variable=VARIABLE, guide=GUIDE,
        )  # fmt: skip
    return translate(
        "{label} needs a pretrained model below {variable}, of one of these architectures: {kinds}; {guide} says how "
        "it is brought here.", label=label, variable=VARIABLE, kinds=", ".join(architectures), guide=GUIDE,
    )  # fmt: skip


def _folders(root: Path) -> dict[str, Path]:
    """The folders by the names that find them; a hidden one is not whole yet."""
    plain = [path.parent for pattern in ("*/config.json", "*/*/config.json") for path in root.glob(pattern)]
    found = {path.relative_to(root).as_posix(): path for path in plain}
    cached = {path.name.removeprefix(HUB).replace(BETWEEN, "/", 1): hub_snapshot(path) for path in root.glob(f"{HUB}*")}
    found |= {name: path for name, path in cached.items() if path is not None and name not in found}
    return {name: path for name, path in found.items() if not name.startswith(".")}


def _looked_at(name: str, folder: Path) -> ModelFolder:
    try:
        path = folder / "config.json"
        config = json.loads(path.read_text(encoding="utf-8")) if path.stat().st_size <= LARGEST_CONFIG else {}
        kind = config.get("model_type") if isinstance(config, dict) else ""
        size = sum(file.stat().st_size for file in folder.glob("*.safetensors"))
    except (OSError, ValueError, RecursionError):
        kind, size = "", 0
    return ModelFolder(name, str(kind or "")[:60], size)
