"""Converted models, kept on this machine: one is made once for the same weights and quantization.

They lie in `work/ctranslate2` below RESTYLE_DATA and may be removed at any time. Of those that nobody has used for an
hour the last eight stay.
"""

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from foundation.errors import UserError
from foundation.file_locks import exclusive_lock
from foundation.project import ROOT
from modelserving.ctranslate2_models.installation import version
from modelserving.ctranslate2_models.model_conversion import convert, ends_of, start_of

FORM = 1  # of what `convert` writes; another number has all models converted anew
KEPT, IN_USE_SECONDS = 8, 3600
FRESH, LOCK = ".fresh-", ".lock"


def converted(net: Any, quantization: str, digest: str) -> Path:
    """The folder of the converted model, made where it is not there; two processes make it once.

    Args:
        digest: Of the model's weights and configuration (`digest_of`).

    Raises:
        UserError: CTranslate2 is not installed, cannot convert the model, or the folder cannot be written.
    """
    name = f"{net.config.model_type}-{quantization}-{_key(digest, quantization)}"
    return _kept(name, lambda folder: convert(net, folder, quantization))


def remove(folder: Path) -> None:
    """Have a converted model made anew the next time."""
    shutil.rmtree(folder, ignore_errors=True)


def digest_of(net: Any) -> str:
    """SHA-256 of a loaded model.

    Of its configuration, the tokens that begin and end outputs, and each tensor's name, type, shape and bytes.
    """
    whole = hashlib.sha256(net.config.to_json_string(use_diff=False).encode())
    whole.update(f"{start_of(net)} {ends_of(net)}\n".encode())
    for name, tensor in sorted(net.state_dict().items()):
        values = tensor.detach().cpu().contiguous()
        whole.update(f"{name} {values.dtype} {tuple(values.shape)}\n".encode())
        whole.update(values.flatten().view(_bytes()).numpy())
    return whole.hexdigest()


def kept_in() -> Path:
    """The folder of all converted models on this machine."""
    return Path(os.environ.get("RESTYLE_DATA") or ROOT / ".data") / "work" / "ctranslate2"


def _bytes() -> Any:
    import torch

    return torch.uint8


def _key(digest: str, quantization: str) -> str:
    return hashlib.sha256(f"{FORM} {version()} {quantization} {digest}".encode()).hexdigest()[:20]


def _kept(name: str, write: Callable[[Path], None]) -> Path:
    """The folder of that name, whole: what is written stands under another name until it is done."""
    place = kept_in() / name
    if not place.exists():
        try:
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with exclusive_lock(place.parent / LOCK):
                _write_once(place, write)
        except OSError as error:
            raise UserError(
                "Converted models cannot be kept in {parent}: {strerror}.", parent=place.parent, strerror=error.strerror
            ) from None
    os.utime(place)
    return place


def _write_once(place: Path, write: Callable[[Path], None]) -> None:
    """With the lock held: what another process left unfinished is thrown away."""
    if place.exists():
        return
    for left in place.parent.glob(f"{FRESH}*"):
        remove(left)
    fresh = Path(tempfile.mkdtemp(prefix=FRESH, dir=place.parent))
    try:
        write(fresh)
        fresh.rename(place)
    finally:
        remove(fresh)
    _forget_old(place.parent)


def _forget_old(folder: Path) -> None:
    used = sorted(folder.glob("[!.]*"), key=lambda one: one.stat().st_mtime, reverse=True)
    for old in used[KEPT:]:
        if time.time() - old.stat().st_mtime > IN_USE_SECONDS:
            remove(old)
