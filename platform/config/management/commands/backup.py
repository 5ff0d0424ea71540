import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandParser

from config.backup.making import Made, write_backup
from foundation.errors import UserError


class Command(BaseCommand):
    help = "Write a backup of the whole site, of one moment, into a file. People work on meanwhile. See docs/backup.md."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the file, which must not be there yet; - is standard output")
        parser.add_argument("--key", action="store_true", help="put the secret key in too")

    def handle(self, *, file: str, key: bool, **options: Any) -> None:
        made = write_backup(sys.stdout.buffer, key=key) if file == "-" else _write(Path(file), key)
        sys.stdout.buffer.flush()
        size = f"{made.size / 1e6:,.1f} MB"
        self.stderr.write(f"Backed up the site as of {made.at:%Y-%m-%d %H:%M:%S} UTC: {size}, {made.files} files.")
        for name in made.lost:
            self.stderr.write(f"Storage has lost the file {name}; it is not in the backup.")


def _write(path: Path, key: bool) -> Made:
    """Write the file under another name until it is whole; only its owner may read it."""
    draft = path.with_name(path.name + ".part")
    if path.exists():
        raise UserError("There is a file of this name already.", where=str(path))
    try:
        stream: IO[bytes] = os.fdopen(os.open(draft, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb")
    except OSError as error:
        raise UserError(f"The file cannot be written: {error.strerror}.", where=str(path)) from None
    try:
        with stream:
            made = write_backup(stream, key=key)
            stream.flush()
            os.fsync(stream.fileno())
        draft.rename(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    return made
