"""The folders below RESTYLE_MODELS that hold a model of transformers, as far as their config.json tells."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from foundation.local_resources import VARIABLE, models_root

LARGEST_CONFIG = 4_000_000  # bytes
MOST = 200  # folders that are looked at
GUIDE = "docs/pretrained.md says how a model is brought here"


@dataclass(frozen=True)
class ModelFolder:
    """A folder, its transformers' model_type ("" where it cannot be told), and the bytes of its weights."""

    name: str
    architecture: str
    size: int


def folders_of(architectures: Sequence[str] = ()) -> list[ModelFolder]:
    """The folders of these architectures, or of any, by name; a folder may lie within another (`google/t5-base`)."""
    root = models_root()
    if root is None:
        return []
    found = [_looked_at(root, path) for path in _folders(root)[:MOST]]
    return [one for one in found if not architectures or one.architecture in architectures]


def why_none(label: str, architectures: Sequence[str]) -> str:
    """The sentence where there is no folder of these architectures; "" where there is one."""
    if folders_of(architectures):
        return ""
    if models_root() is None:
        return f"{label} needs a pretrained model, and {VARIABLE} names no folder on this machine; {GUIDE}."
    kinds = " or ".join(architectures)
    return f"{label} needs a pretrained model of the architecture {kinds} below {VARIABLE}; {GUIDE}."


def _folders(root: Path) -> list[Path]:
    return sorted(path.parent for pattern in ("*/config.json", "*/*/config.json") for path in root.glob(pattern))


def _looked_at(root: Path, folder: Path) -> ModelFolder:
    try:
        path = folder / "config.json"
        config = json.loads(path.read_text(encoding="utf-8")) if path.stat().st_size <= LARGEST_CONFIG else {}
        kind = config.get("model_type") if isinstance(config, dict) else ""
        size = sum(file.stat().st_size for file in folder.glob("*.safetensors"))
    except (OSError, ValueError, RecursionError):
        kind, size = "", 0
    return ModelFolder(folder.relative_to(root).as_posix(), str(kind or "")[:60], size)
