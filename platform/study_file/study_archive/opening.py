"""The archive of a study on its way in."""

from collections.abc import Callable
from typing import IO
from zipfile import BadZipFile, ZipFile

from corpora.formats import TextFile
from foundation.errors import UserError
from study_file.study_archive.contents import STUDY_FILE

LARGEST_STUDY_FILE = 4 << 20
BEGINS = b"PK\x03\x04"


def is_archive(begin: bytes) -> bool:
    return begin.startswith(BEGINS)


def opened_archive(file: IO[bytes], name: str, limit: int) -> tuple[TextFile, Callable[[str], bytes]]:
    """The study file in an archive, and what gives the files that it names, each of at most `limit` bytes."""
    try:
        archive = ZipFile(file)
        sizes = {info.filename: info.file_size for info in archive.infolist()}
    except (BadZipFile, OSError, ValueError):
        raise UserError("The archive is damaged or cut off.", where=name) from None

    def read(part: str, most: int) -> bytes:
        if part not in sizes:
            raise UserError("The archive has no file '{part}'.", part=part[:100])
        try:
            with archive.open(part) as stream:
                content = stream.read(most + 1)
        except (BadZipFile, EOFError, NotImplementedError, RuntimeError, OSError, ValueError):
            raise UserError("'{part}' in the archive cannot be read.", part=part[:100], where=name) from None
        if len(content) > most:
            raise UserError("'{part}' in the archive is larger than {most:,} bytes.", part=part[:100], most=most)
        return content

    return TextFile(read(STUDY_FILE, LARGEST_STUDY_FILE), STUDY_FILE), lambda part: read(part, limit)
