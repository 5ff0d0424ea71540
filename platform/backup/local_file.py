"""Write a backup into a file of this machine: whole or not at all, and for its owner alone."""

import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from backup.creation import Made, Step, nothing, write_backup
from foundation.errors import UserError

UNFINISHED = ".part"


def write_file(path: Path, *, key: bool = False, step: Step = nothing) -> Made:
    """Write the file at `path`, which must not be there. Raises UserError."""
    draft = path.with_name(path.name + UNFINISHED)
    if path.exists():
        raise UserError("There is a file of this name already.", where=str(path))
    try:
        stream: IO[bytes] = os.fdopen(os.open(draft, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb")
    except OSError as error:
        raise UserError("The file cannot be written: {strerror}.", strerror=error.strerror, where=str(path)) from None
    try:
        with stream:
            made = write_backup(stream, key=key, step=step)
            stream.flush()
            os.fsync(stream.fileno())
        draft.rename(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    return made
