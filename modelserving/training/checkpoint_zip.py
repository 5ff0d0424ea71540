"""A zip from elsewhere, opened so that nothing in it can harm: few members, stored, with plain names, none twice."""

import re
import stat
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from zipfile import ZIP_STORED, BadZipFile, ZipFile

from foundation.errors import UserError

SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
MOST_MEMBERS = 200
LARGEST_DIRECTORY = 100_000  # bytes; the zip's list of its members is read into memory before it can be looked at
END, END_64 = struct.Struct("<4s4H2LH"), struct.Struct("<4sQ2H2L4Q")
LOCATOR_64 = 20  # bytes
BROKEN = "The file is no checkpoint, or is broken: it is no zip that can be read."
FAULTS = (BadZipFile, OSError, EOFError, ValueError, NotImplementedError, RuntimeError, KeyError, struct.error)


@contextmanager
def opened(path: Path | IO[bytes]) -> Iterator[ZipFile]:
    """The zip, its list of members looked at; a fault of the zip within the block is a UserError too."""
    try:
        with path.open("rb") if isinstance(path, Path) else _left_open(path) as file:
            _check_end(file)
            with ZipFile(file) as zipped:
                _check_members(zipped, file.seek(0, 2))
                yield zipped
    except FAULTS as error:
        if isinstance(error, OSError) and error.errno:
            raise  # of this machine, not of the file
        raise UserError(BROKEN) from None


@contextmanager
def _left_open(file: IO[bytes]) -> Iterator[IO[bytes]]:
    yield file


def _check_end(file: IO[bytes]) -> None:
    """Refuse a zip with a long list of members, by the record at its end, and one with anything behind this record."""
    size = file.seek(0, 2)
    tail = min(size, END.size + LOCATOR_64 + END_64.size)
    file.seek(size - tail)
    end = file.read(tail)
    if len(end) < END.size or end[-END.size :][:4] != b"PK\5\6":
        raise UserError(BROKEN)
    *_, count, directory, _, _ = END.unpack(end[-END.size :])
    if end[-END.size - LOCATOR_64 :][:4] == b"PK\6\7" and len(end) == END.size + LOCATOR_64 + END_64.size:
        *_, count, directory, _ = END_64.unpack(end[: END_64.size])
    if count > MOST_MEMBERS or directory > LARGEST_DIRECTORY:
        raise UserError(
            "The file is no checkpoint: it has more than {most_members} members.", most_members=MOST_MEMBERS
        )


def _check_members(zipped: ZipFile, size: int) -> None:
    names = [entry.filename for entry in zipped.infolist()]
    for entry in zipped.infolist():
        name = entry.filename
        if not SAFE_NAME.fullmatch(name) or entry.orig_filename != name or names.count(name) > 1:
            raise UserError("A member's name is a path, stands twice, or has odd characters.", where=repr(name)[:80])
        if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG) or entry.is_dir():
            raise UserError("A member is a link or a folder.", where=name)
        if entry.compress_type != ZIP_STORED or entry.file_size != entry.compress_size or entry.flag_bits & 1:
            raise UserError("A member is compressed or locked; in a checkpoint members are stored as they are.",
                            where=name)  # fmt: skip
    if sum(entry.file_size for entry in zipped.infolist()) > size:
        raise UserError("The members say that they are larger than the file.")
