"""A file of gold as a path on this machine. An archive is refused if a name leads out of it or it is too large.

It runs in the process that reads files from outside, so it imports no Django.
"""

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from shutil import copyfileobj
from zipfile import ZipFile, ZipInfo

from corpora.formats import TextFile
from corpora.text_files.decoding import opened
from corpora.text_files.zip_members import FAULTS, files_in, hold_to_limit
from foundation.errors import UserError

MOST_FILES = 2000
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
    """The archive's files in a folder; a UserError for names that lead out of it, and for too much."""
    try:
        with ZipFile(archive) as zipped:
            members = [one for one in files_in(zipped, name, MOST_FILES) if not passed_over(one.filename)]
            hold_to_limit(members, name)
            _check_names(members, name)
            for member in members:
                target = folder / PurePosixPath(member.filename)
                target.parent.mkdir(parents=True, exist_ok=True)
                with zipped.open(member) as stream, target.open("wb") as unpacked_file:
                    copyfileobj(stream, unpacked_file)
    except FAULTS:
        raise UserError("this is not a ZIP archive that can be read.", where=name) from None
    folder.mkdir(exist_ok=True)
    return folder


def _check_names(members: Sequence[ZipInfo], name: str) -> None:
    for member in members:
        path = PurePosixPath(member.filename)
        if path.is_absolute() or ".." in path.parts or "\\" in member.filename:
            raise UserError(
                "the name '{filename}' points outside the archive.", filename=member.filename[:60], where=name
            )


def passed_over(name: str) -> bool:
    """Whether the file only comes along with an archive: a hidden file, or one that a Mac adds."""
    parts = PurePosixPath(name).parts
    return "__MACOSX" in parts or any(part.startswith(".") and part != ".." for part in parts)
