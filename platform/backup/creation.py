"""Write a backup: the files that the moment's rows name, the database at that moment, and the key if asked."""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from tempfile import TemporaryFile
from typing import IO, NamedTuple

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.files.storage import default_storage

from backup.archive import CHUNK, DATABASE, FILES, KEY, Writer
from backup.exported_snapshot import Moment, one_moment
from backup.postgres_programs import environment, program
from foundation.errors import UserError
from foundation.project import version


class Made(NamedTuple):
    """What a backup holds: its moment, bytes, how many files, and the names of those that storage had lost."""

    at: datetime
    size: int
    files: int
    lost: list[str]


Step = Callable[[int, int], object]


def nothing(done: int, total: int) -> None:
    """A step that nobody follows."""


def write_backup(stream: IO[bytes], *, key: bool = False, step: Step = nothing) -> Made:
    """Write a backup of one moment to `stream`, piece by piece. `step` hears with each how many of the parts are done.

    Storage writes each file once, under a name of its own, and before the row that names it; so the files may be copied
    after the moment, and are those of the moment. Raises UserError.
    """
    size = 0

    def counted(pieces: Iterator[bytes]) -> Iterator[bytes]:
        nonlocal size
        for piece in pieces:
            size += len(piece)
            step(len(archive.parts), len(moment.files) + 1)
            yield piece

    with Writer(stream) as archive:
        with one_moment() as moment:
            place, major = program("pg_dump", least=moment.version)
            with _dump(place, moment, key=key) as rows:
                archive.add(DATABASE, counted(rows))
            moment.pass_by()
            lost = [name for name in moment.files if not _add_file(archive, name, counted)]
        if key:
            archive.add(KEY, [settings.SECRET_KEY.encode()])
        about = {"restyle": version(), "made_at": moment.at.isoformat(), "migrations": moment.migrations, "lost": lost}
        left_out = {"second_steps_left_out": 0 if key else moment.second_steps}
        archive.end({**about, **left_out, "postgresql": moment.version, "pg_dump": major})
    return Made(moment.at, size, len(moment.files) - len(lost), lost)


def _add_file(archive: Writer, name: str, counted: Callable[[Iterator[bytes]], Iterator[bytes]]) -> bool:
    """Copy a file of storage; False where storage has lost it."""
    try:
        file = default_storage.open(name, "rb")
    except FileNotFoundError:
        return False
    with file:
        archive.add(FILES + name, counted(iter(lambda: file.read(CHUNK), b"")))
    return True


@contextmanager
def _dump(place: object, moment: Moment, *, key: bool) -> Iterator[Iterator[bytes]]:
    """What pg_dump writes of the moment; second steps, whose secrets an app needs as they are, only with the key."""
    command = [str(place), "--format=custom", "--no-owner", "--no-privileges", f"--snapshot={moment.snapshot}"]
    command.append(f"--exclude-table-data={Session._meta.db_table}")  # whoever reads one is signed in as its person
    if not key:
        command.append(f"--exclude-table-data={Authenticator._meta.db_table}")
    with TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, env=environment())  # noqa: S603
        assert process.stdout is not None
        try:
            yield iter(lambda: process.stdout.read(CHUNK), b"")  # type: ignore[union-attr]
            if process.wait():
                said.seek(0)
                raise UserError("pg_dump could not read the database: {detail}", detail=last_line(said.read()))
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


def last_line(said: bytes) -> str:
    """The last line that a program said."""
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"
