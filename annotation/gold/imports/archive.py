"""What is in a file, a folder or an archive of gold: which files, in which form, of which split."""

import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile, ZipInfo

import orjson

from annotation.gold.release.settings import gold_formats
from corpora.formats import MEGABYTE, TextFile
from corpora.formats._decode import opened
from foundation.errors import UserError, first_five

MOST_FILES, MOST_BYTES = 2000, 1024 * MEGABYTE
SPLITS = ("train", "tune", "test")
FULLEST = ("jsonl", "parquet", "csv")
"""The forms that hold every kind of gold with its splits: beside one of these, other files say nothing more."""
SPLIT = re.compile(r"(?<![a-z])(train|training|tune|tuning|dev|valid|validation|val|test)(?![a-z])")
NAMED = {"training": "train", "tuning": "tune", "dev": "tune", "valid": "tune", "validation": "tune", "val": "tune"}
HEAD = 64 * 1024
ZIP = b"PK\x03\x04"


class GoldFile(NamedTuple):
    """A file to read: its form, and the split of rows whose form says none."""

    form: str
    file: TextFile
    split: str


@contextmanager
def gold_files(file: TextFile, form: str, split: str) -> Iterator[list[GoldFile]]:
    """The files of gold in `file`; `form` "" is recognised. A UserError where there is none, or there are two forms."""
    with TemporaryDirectory(prefix="restyle-gold-") as scratch:
        place = _path(file, Path(scratch))
        if place.is_file() and _head(place).startswith(ZIP):
            place = _unpacked(place, Path(scratch) / "archive", file.name)
        if place.is_dir():
            yield _of_folder(place, file.name, form, split)
        else:
            yield [GoldFile(form or _recognised(place, file.name), TextFile(place, file.name, file.encoding), split)]


def _path(file: TextFile, scratch: Path) -> Path:
    if isinstance(file.source, Path):
        if not file.source.exists():
            raise UserError("there is no such file.", where=file.name)
        return file.source
    place = scratch / "file"
    with opened(file) as stream, place.open("wb") as kept:
        copyfileobj(stream, kept)
    return place


def _head(place: Path) -> bytes:
    with place.open("rb") as stream:
        return stream.read(HEAD)


def _unpacked(archive: Path, folder: Path, name: str) -> Path:
    """The archive's files in a folder; names that lead out of it are refused, and so is what is too much."""
    try:
        with ZipFile(archive) as zipped:
            members = [one for one in zipped.infolist() if not one.is_dir() and not _passed_over(one.filename)]
            _check(members, name)
            for member in members:
                target = folder / PurePosixPath(member.filename)
                target.parent.mkdir(parents=True, exist_ok=True)
                with zipped.open(member) as stream, target.open("wb") as kept:
                    copyfileobj(stream, kept)
    except (BadZipFile, NotImplementedError, zlib.error, EOFError):
        raise UserError("this is not a ZIP archive that can be read.", where=name) from None
    folder.mkdir(exist_ok=True)
    return folder


def _check(members: Sequence[ZipInfo], name: str) -> None:
    if len(members) > MOST_FILES or sum(member.file_size for member in members) > MOST_BYTES:
        raise UserError(
            f"the archive may have {MOST_FILES:,} files of {MOST_BYTES // MEGABYTE:,} MB together.", where=name
        )
    for member in members:
        path = PurePosixPath(member.filename)
        if path.is_absolute() or ".." in path.parts or "\\" in member.filename:
            raise UserError(f"the name '{member.filename[:60]}' leads out of the archive.", where=name)
        if member.flag_bits & 1:
            raise UserError("the archive is encrypted.", where=name)


def _of_folder(folder: Path, name: str, form: str, split: str) -> list[GoldFile]:
    while len(inside := [one for one in folder.iterdir() if not _passed_over(one.name)]) == 1 and inside[0].is_dir():
        if inside[0].name in SPLITS or any((inside[0] / one).is_dir() for one in SPLITS):
            break  # the folder of a split, or that of GYAFC's one domain
        folder = inside[0]
    if form == "gyafc" or (not form and _is_gyafc(folder)):
        return [GoldFile("gyafc", TextFile(folder, name), split)]
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not _passed_over(path.name))
    found = [(form or _form_of(file), file) for file in files]
    kept = [(kind, one) for kind, one in found if kind and (not form or one.suffix in gold_formats()[form].suffixes)]
    fullest = next((kind for kind in FULLEST if any(own == kind for own, _ in kept)), "")
    chosen = [(kind, one) for kind, one in kept if not fullest or kind == fullest]
    kinds = sorted({kind for kind, _ in chosen})
    if not kinds:
        raise UserError("there is no file of gold in it.", where=name)
    if len(kinds) > 1:
        raise UserError(f"it holds gold in several forms, {', '.join(kinds)}; say which one.", where=name)
    return [
        GoldFile(kind, TextFile(one, _called(name, folder, one)), split_in(one.name) or split) for kind, one in chosen
    ]


def _called(name: str, folder: Path, file: Path) -> str:
    return f"{name}/{file.relative_to(folder).as_posix()}"


def _is_gyafc(folder: Path) -> bool:
    """Whether it has a folder train, tune or test with files without an ending in it."""
    return any(
        one.is_file() and "." not in one.name
        for home in folder.rglob("*")
        if home.is_dir() and home.name in SPLITS
        for one in home.iterdir()
    )


def _passed_over(name: str) -> bool:
    """What archives carry along: hidden files, and what a Mac adds."""
    parts = PurePosixPath(name).parts
    return "__MACOSX" in parts or any(part.startswith(".") and part != ".." for part in parts)


def _form_of(place: Path) -> str:
    """The form of a file in an archive; "" for one that is no gold, such as a readme."""
    if place.suffix == ".md" or place.stem.lower() in ("readme", "license", "licence", "datasheet", "guidelines"):
        return ""
    try:
        return _recognised(place, place.name)
    except UserError:
        return ""


def _recognised(place: Path, name: str) -> str:
    """The form of a file by its ending and its first line."""
    head = _head(place)
    first = head.decode("utf-8-sig", "replace").lstrip()
    if place.suffix == ".parquet" or head.startswith(b"PAR1"):
        return "parquet"
    if first.startswith("{"):
        return _of_object(first)
    if first.startswith("kind,source_id,"):
        return "csv"
    lines = first.replace("\r\n", "\n").split("\n\n")[0].splitlines()
    if len(lines) in (3, 5) and place.suffix in ("", ".txt"):
        return "medlane"
    raise UserError(f"it is in none of the forms of gold; there are {first_five(gold_formats())}.", where=name)


def _of_object(first: str) -> str:
    """JSON lines of gold say a kind, those of MSD a label; PLABA's one object is keyed by question."""
    try:
        entry = orjson.loads(first.splitlines()[0])
    except orjson.JSONDecodeError:
        return "plaba"
    if not isinstance(entry, dict):
        return "plaba"
    return "jsonl" if "kind" in entry else "msd" if "label" in entry and "text" in entry else "plaba"


def split_in(name: str) -> str:
    """The split that a file's name says, if it says one."""
    found = SPLIT.search(name.lower())
    return NAMED.get(found[1], found[1]) if found else ""
