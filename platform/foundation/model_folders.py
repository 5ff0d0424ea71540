"""Folders of this machine that hold a model: found by name, required, and told apart by a digest of their files.

A model of a hub's cache is found by the hub's name, `org/name`: it lies in `models--org--name/snapshots/REVISION`, and
`models--org--name/refs/main` has the revision.
"""

import hashlib
from functools import lru_cache
from pathlib import Path

from foundation.errors import UserError
from foundation.local_resources import local_path, missing_resource_message
from foundation.translation import translatable

KIND = translatable("language model")
CONFIG = "config.json"
HUB, SNAPSHOTS, MAIN, BETWEEN = "models--", "snapshots", "refs/main", "--"
OF_A_MODEL = frozenset({".safetensors", ".json", ".txt", ".model"})  # the files of a folder that are read


def model_folder(name: str, where: str = "") -> Path | None:
    """Find the folder of a model below RESTYLE_MODELS.

    Args:
        name: The folder's name.
        where: The setting that names it, for the error.

    Returns:
        The folder; None where there is none, or no model lies in it.

    Raises:
        UserError: The name leads out of RESTYLE_MODELS.
    """
    for path in (local_path(name, where=where), local_path(HUB + name.replace("/", BETWEEN)) if name else None):
        folder = path if path is None or (path / CONFIG).is_file() else hub_snapshot(path)
        if folder is not None:
            return folder
    return None


def hub_snapshot(cached: Path) -> Path | None:
    """The snapshot of a folder `models--org--name` that is its main one, or the only one; None where there is none."""
    found = {path.parent.name: path.parent for path in cached.glob(f"{SNAPSHOTS}/*/{CONFIG}")}
    try:
        main = (cached / MAIN).read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        main = ""
    return found.get(main) or (next(iter(found.values())) if len(found) == 1 else None)


def model_name(folder: Path) -> str:
    """The name of a model's folder, without the organization; a snapshot's own would be its revision."""
    cached = folder.parent.parent
    if folder.parent.name == SNAPSHOTS and cached.name.startswith(HUB):
        return cached.name.rpartition(BETWEEN)[2]
    return folder.name


def why_unavailable(name: str, kind: str = KIND) -> str:
    """The sentence for a model that is not there; "" where it is."""
    try:
        return "" if model_folder(name) else missing_resource_message(kind, name)
    except UserError as error:
        return str(error)


def required_folder(name: str, where: str, kind: str = KIND) -> Path:
    """Find the folder of a model that has to be there.

    Args:
        name: The folder's name.
        where: The setting that names it, for the error.
        kind: What it is called in the error.

    Returns:
        The folder.

    Raises:
        UserError: It is not there; the sentence says what to install.
    """
    folder = model_folder(name, where)
    if folder is None:
        raise UserError(missing_resource_message(kind, name), where=where)
    return folder


def signature_safe(text: str) -> str:
    """As a signature's field may hold it."""
    return text.replace("|", "-").replace(":", "-")


def weights_digest(folder: Path) -> str:
    """The digest of weights, configuration and tokenizer, which tells two models of the same name apart."""
    files = sorted(file for file in folder.iterdir() if file.suffix in OF_A_MODEL)
    return _digest(tuple((file, file.stat().st_mtime_ns, file.stat().st_size) for file in files))


@lru_cache(maxsize=8)
def _digest(files: tuple[tuple[Path, int, int], ...]) -> str:
    digest = hashlib.sha256()
    for file, _, _ in files:
        with file.open("rb") as stream:
            while piece := stream.read(1 << 20):
                digest.update(piece)
    return digest.hexdigest()[:12]
