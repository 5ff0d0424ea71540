"""The archive of a study on its way in."""

from collections.abc import Callable
from typing import IO

from corpora.formats import TextFile
from corpora.text_files.zip_members import content_of
from foundation.confined import confined
from study_file.study_archive.contents import STUDY_FILE

LARGEST_STUDY_FILE = 4 << 20
BEGINS = b"PK\x03\x04"


def is_archive(begin: bytes) -> bool:
    return begin.startswith(BEGINS)


def opened_archive(file: IO[bytes], name: str, limit: int) -> tuple[TextFile, Callable[[str], bytes]]:
    """The study file in an archive, and what gives the files that it names, each of at most `limit` bytes."""

    def read(part: str, most: int) -> bytes:
        return confined(content_of, TextFile(file, name), part, most)

    return TextFile(read(STUDY_FILE, LARGEST_STUDY_FILE), STUDY_FILE), lambda part: read(part, limit)
