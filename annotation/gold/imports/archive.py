"""A file of gold as a path on this machine. Of an archive, what leads out of it or is too large is refused."""

import zlib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from shutil import copyfileobj
from zipfile import BadZipFile, ZipFile, ZipInfo

from corpora.formats import MEGABYTE, TextFile
from corpora.text_files.decoding import opened
from foundation.errors import UserError

MOST_FILES, MOST_BYTES = 2000, 1024 * MEGABYTE
ZIP = b"PK\x03\x04"


def local_path(file: TextFile, scratch: Path) -> Path:
    """The file's own path, or that of a copy in `scratch` where it has none; a UserError where it is not there."""
    if isinstance(file.source, Path):
        if not file.source.exists():
            raise UserError("there is no such file.", where=file.name)
        return file.source
    path = scratch / "file"
    with opened(file) as stream, path.open("wb") as copy:
        copyfileobj(stream, copy)
    return path


def unpacked(archive: Path, folder: Path, name: str) -> Path:
    """The archive's files in a folder; names that lead out of it are refused, and so is what is too much."""
    try:
        with ZipFile(archive) as zipped:
            members = [
                member for member in zipped.infolist() if not member.is_dir() and not passed_over(member.filename)
            ]
            _check(members, name)
            for member in members:
                target = folder / PurePosixPath(member.filename)
                target.parent.mkdir(parents=True, exist_ok=True)
                with zipped.open(member) as stream, target.open("wb") as unpacked_file:
                    copyfileobj(stream, unpacked_file)
    except (BadZipFile, NotImplementedError, zlib.error, EOFError):
        raise UserError("this is not a ZIP archive that can be read.", where=name) from None
    folder.mkdir(exist_ok=True)
    return folder


def _check(members: Sequence[ZipInfo], name: str) -> None:
    if len(members) > MOST_FILES or sum(member.file_size for member in members) > MOST_BYTES:
        raise UserError(
            "the archive may have {most_files:,} files of {most_bytes:,} MB together.",
            most_files=MOST_FILES,
            most_bytes=MOST_BYTES // MEGABYTE,
            where=name,
        )
    for member in members:
        path = PurePosixPath(member.filename)
        if path.is_absolute() or ".." in path.parts or "\\" in member.filename:
            raise UserError(
                "the name '{filename}' leads out of the archive.", filename=member.filename[:60], where=name
            )
        if member.flag_bits & 1:
            raise UserError("the archive is encrypted.", where=name)


def passed_over(name: str) -> bool:
    """What archives carry along: hidden files, and what a Mac adds."""
    parts = PurePosixPath(name).parts
    return "__MACOSX" in parts or any(part.startswith(".") and part != ".." for part in parts)
