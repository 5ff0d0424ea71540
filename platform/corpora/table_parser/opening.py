"""Files as streams that can be read again; archives are unpacked, up to a limit of size."""

import gzip
import zlib
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, Any, BinaryIO, cast
from zipfile import ZipFile

from corpora.formats import MEGABYTE, TextFile
from corpora.text_files import zip_members
from corpora.text_files.decoding import opened
from corpora.text_files.zip_members import EXPANDED_LIMIT, FAULTS, files_in, too_large
from foundation.errors import UserError

CHUNK = 64 * 1024
MEMBERS = 1000
"""The most files an archive may hold."""
IN_MEMORY = MEGABYTE // 4
"""Bytes of an unpacked file that stay in memory, of which there may be a thousand."""
IGNORED = ("__MACOSX/", ".DS_Store", "Thumbs.db")


@dataclass
class Opened:
    """A file with its name: `stream` can be sought, and `fresh` gives it at its beginning."""

    name: str
    stream: IO[bytes]

    def fresh(self) -> BinaryIO:
        self.stream.seek(0)
        return cast(BinaryIO, self.stream)

    def head(self, size: int = CHUNK) -> bytes:
        return self.fresh().read(size)


def open_file(file: TextFile, stack: ExitStack) -> Opened:
    """The file, open until `stack` is closed; a file of the caller's is left open."""
    stream: Any = stack.enter_context(opened(file))
    if not hasattr(stream, "seek"):
        stream = stack.enter_context(_spooled(iter(lambda: stream.read(CHUNK), b""), file.name))
    return Opened(file.name, stream)


def gunzipped(file: Opened, stack: ExitStack) -> Opened:
    """The contents of a gzip file."""
    try:
        with gzip.open(file.fresh()) as inner:
            held = _spooled(iter(lambda: inner.read(CHUNK), b""), file.name)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise UserError("the gzip archive is broken.", where=file.name) from None
    name = file.name[:-3] if file.name.lower().endswith(".gz") else file.name
    return Opened(name, stack.enter_context(held))


def members(file: Opened, *, hidden: bool = False) -> list[str]:
    """The files of a ZIP archive in its order, less folders and the files that operating systems leave there.

    Those alone, where `hidden`.
    """
    with _zip(file) as archive:
        names = [one.filename for one in files_in(archive, file.name, MEMBERS)]
    return [name for name in names if hidden == (name.startswith(IGNORED) or name.rpartition("/")[2].startswith("."))]


def hold_to_limit(file: Opened, names: Collection[str]) -> None:
    """Raise where these files of an archive are too large together."""
    with _zip(file) as archive:
        zip_members.hold_to_limit([archive.getinfo(name) for name in names], file.name)


def unzipped(file: Opened, member: str, stack: ExitStack) -> Opened:
    """A file of a ZIP archive."""
    held = _spooled(pieces(file, member), f"{file.name}: {member}")
    return Opened(member, stack.enter_context(held))


def pieces(file: Opened, member: str) -> Iterator[bytes]:
    """The bytes of a file of a ZIP archive; the size that the archive names is not trusted."""
    with _zip(file) as archive:
        try:
            with archive.open(member) as inner:
                yield from iter(lambda: inner.read(CHUNK), b"")
        except (*FAULTS, OSError):
            raise UserError("the archive is broken.", where=file.name) from None


def _zip(file: Opened) -> ZipFile:
    try:
        return ZipFile(file.fresh())
    except (*FAULTS, OSError):
        raise UserError("the archive is broken.", where=file.name) from None


def _spooled(chunks: Iterator[bytes], name: str) -> IO[bytes]:
    held = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115  the caller's stack closes it
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > EXPANDED_LIMIT:
            held.close()
            raise too_large(name)
        held.write(chunk)
    return held
