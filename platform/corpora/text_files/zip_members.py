"""The files in a ZIP archive, looked at before one of them is unpacked.

An archive of some kilobytes can name one file a thousand times, or have its files lie in one another, and so be more
unpacked than a disk holds. The size that the archive gives for a file is an upper bound: the library unpacks no more of
it.
"""

import struct
import zlib
from collections.abc import Collection
from typing import IO, cast
from zipfile import BadZipFile, ZipFile, ZipInfo

from corpora.text_files.decoding import MEGABYTE, TextFile, opened
from foundation.errors import UserError

EXPANDED_LIMIT = 500 * MEGABYTE
"""The most bytes that a file, and all files of an archive together, may have unpacked."""
MOST_PARTS = 10_000
FAULTS = (BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, IndexError, struct.error, zlib.error)
"""What the library raises for an archive that is broken, locked, or in a way that it does not know."""
HEADER = 30
"""The least bytes before a file's own."""


def files_in(archive: ZipFile, name: str, most: int) -> list[ZipInfo]:
    """Its files, less folders. Raise where there are more than `most`, one is there twice, or locked, or in another."""
    found = [one for one in archive.infolist() if not one.is_dir()]
    if len(found) > most:
        raise UserError(
            "the archive holds {found_count:,} files; it may hold at most {members:,}.",
            found_count=len(found),
            members=most,
            where=name,
        )
    seen = set[str]()
    for one in found:
        if one.filename in seen:
            raise UserError("the archive names '{file}' more than once.", file=one.filename[:100], where=name)
        seen.add(one.filename)
        if one.flag_bits & 1:
            raise UserError("the archive is locked with a password.", where=name)
    end = 0
    for one in sorted(archive.infolist(), key=lambda one: one.header_offset):
        if one.header_offset < end:
            raise UserError("the archive is broken: its files lie in one another.", where=name)
        end = one.header_offset + HEADER + len(one.orig_filename) + one.compress_size
    return found


def hold_to_limit(files: Collection[ZipInfo], name: str, limit: int = EXPANDED_LIMIT) -> None:
    """Raise where the files together are larger, by what the archive says."""
    if sum(one.file_size for one in files) > limit:
        raise too_large(name, limit)


def too_large(name: str, limit: int = EXPANDED_LIMIT) -> UserError:
    """The error for files that are too large unpacked."""
    return UserError(
        "unpacked, it is larger than the limit of {expanded_limit} MB.",
        expanded_limit=limit // MEGABYTE,
        where=name,
    )


def content_of(file: TextFile, part: str, most: int) -> bytes:
    """The content of a file of an archive, of at most `most` bytes; the whole archive is checked before."""
    try:
        with opened(file) as stream, ZipFile(cast(IO[bytes], stream)) as archive:
            members = files_in(archive, file.name, MOST_PARTS)
            hold_to_limit(members, file.name, max(EXPANDED_LIMIT, most))
            if part not in {one.filename for one in members}:
                raise UserError("The archive has no file '{part}'.", part=part[:100])
            content = _of_part(archive, part, most, file.name)
    except (*FAULTS, OSError):
        raise UserError("The archive is damaged or cut off.", where=file.name) from None
    if len(content) > most:
        raise UserError("'{part}' in the archive is larger than {most:,} bytes.", part=part[:100], most=most)
    return content


def _of_part(archive: ZipFile, part: str, most: int, name: str) -> bytes:
    try:
        with archive.open(part) as stream:
            return stream.read(most + 1)
    except (*FAULTS, OSError):
        raise UserError("'{part}' in the archive cannot be read.", part=part[:100], where=name) from None
