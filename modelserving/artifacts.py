"""Files of models: checkpoints, dataset snapshots and results in storage, this machine's copies, downloads."""

import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO
from uuid import uuid4

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.http import StreamingHttpResponse

from corpora.trash import remove_file
from foundation.downloads import as_attachment
from foundation.errors import UserError
from modelserving.models import Checkpoint, TransferRun
from modelserving.training.checkpoint import Manifest, unpack

# Files of models in Django's storage, and this machine's copies of them.
#
# Machines share storage: dataset snapshots, checkpoints, results. A machine works in folders of its own below
# `settings.WORK_FOLDER`, which may be lost at any time.

CHUNK = 1 << 20
KEPT_COPIES = 8  # unpacked checkpoints on this machine
IN_USE_SECONDS = 3600  # a copy that was used so recently is not removed: somebody may be reading it


def work_folder(*parts: object) -> Path:
    """A folder of this machine's own, made where it is not there."""
    folder = Path(settings.WORK_FOLDER, *map(str, parts))
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder that is gone afterwards, on the disk of the work folder."""
    with TemporaryDirectory(dir=work_folder("scratch")) as folder:
        yield Path(folder)


def store(path: Path, name: str) -> str:
    """Put a file into storage; the name under which it is there."""
    with path.open("rb") as file:
        return default_storage.save(name, File(file))


def remove_later(*names: str) -> None:
    """Remove files from storage once the transaction is committed."""
    for name in filter(None, names):
        transaction.on_commit(partial(remove_file, name))


def fetch(name: str | None, path: Path) -> None:
    """Bring a file from storage; a UserError where it is not there."""
    with open_stored(name) as source, path.open("wb") as target:
        shutil.copyfileobj(source, target, CHUNK)


def open_stored(name: str | None) -> IO[bytes]:
    """A file of storage, open for reading; a UserError where it is not there."""
    if name:
        with suppress(FileNotFoundError):
            return default_storage.open(name, "rb")
    raise UserError("The file {name} is no longer in storage.", name=name)


def stored_chunks(name: str | None) -> Iterator[bytes]:
    """A file of storage piece by piece, for an answer that is streamed."""
    with open_stored(name) as file:
        while piece := file.read(CHUNK):
            yield piece


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return digest_of(file)


def digest_of(file: IO[bytes]) -> str:
    """The SHA-256 of an open file, from where it stands."""
    whole = hashlib.sha256()
    while part := file.read(CHUNK):
        whole.update(part)
    return whole.hexdigest()


def fresh_name(*parts: object, ending: str) -> str:
    """An unused name for storage."""
    return f"{'/'.join(map(str, parts))}/{uuid4()}{ending}"


def local_copy(checkpoint: Checkpoint) -> Path:
    """The folder with a checkpoint's files on this machine; it is brought here, and verified, at most once."""
    folder = work_folder("checkpoints") / checkpoint.sha256
    if not folder.exists():
        with scratch() as draft:
            fetch_checkpoint(checkpoint, draft / "files")
            with suppress(OSError):  # another process was first
                (draft / "files").rename(folder)
        _forget_old(folder.parent)
    os.utime(folder)
    return folder


def fetch_checkpoint(checkpoint: Checkpoint, folder: Path) -> Manifest:
    """Write a checkpoint's files into a folder; a UserError where the file is gone, or not what it was."""
    with scratch() as draft:
        fetch(checkpoint.file.name, draft / "file.zip")
        if digest(draft / "file.zip") != checkpoint.sha256:
            raise UserError("The file in storage is not the one that was put there.", where=checkpoint.name)
        return unpack(draft / "file.zip", folder, checkpoint.name)


def _forget_old(copies: Path) -> None:
    """Remove the least recently used copies, beyond the number that is kept."""
    newest_first = sorted(copies.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in newest_first[KEPT_COPIES:]:
        if time.time() - folder.stat().st_mtime > IN_USE_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


# Files of models on their way out, piece by piece.

ODD = re.compile(r"[^A-Za-z0-9._-]+")


def checkpoint_download(checkpoint: Checkpoint) -> StreamingHttpResponse:
    """A checkpoint as a download; its digest tells the receiver whether it arrived whole."""
    name = ODD.sub("-", f"{checkpoint.study.slug}-{checkpoint.name}").strip("-")
    headers = as_attachment(f"{name}.zip", checkpoint.size, checkpoint.sha256)
    return StreamingHttpResponse(stored_chunks(checkpoint.file.name), content_type="application/zip", headers=headers)


def result_download(run: TransferRun) -> StreamingHttpResponse:
    """The output of a run over an uploaded file, as a download."""
    stem = ODD.sub("-", run.file_name.rpartition(".")[0] or run.file_name)
    headers = as_attachment(f"{stem}.{run.model}.txt")
    return StreamingHttpResponse(
        stored_chunks(run.result.name), content_type="text/plain; charset=utf-8", headers=headers
    )
