"""The files of gold in a file, a folder or an archive, each with its format and its split."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import orjson

from annotation.gold.archive import ZIP, local_path, passed_over, unpacked
from annotation.gold.release.settings import gold_formats
from corpora.formats import TextFile
from corpora.models import Sentence
from foundation.confined import Confined
from foundation.errors import UserError, first_five
from foundation.options import option
from foundation.translation import translatable

SPLITS = ("train", "tune", "test")
SPLIT = re.compile(r"(?<![a-z])(train|training|tune|tuning|dev|valid|validation|val|test)(?![a-z])")
NAMED = {"training": "train", "tuning": "tune", "dev": "tune", "valid": "tune", "validation": "tune", "val": "tune"}
HEAD = 64 * 1024
TUNED: dict[str, Any] = {"low": 0, "high": 90}  # per cent of the texts to train on that stand for themselves


@dataclass(frozen=True)
class GoldFields:
    """The fields of `import_gold`, besides the file."""

    form: str = option(
        "", "If you choose none, it is detected.", label="Format",
        choices=lambda: [("", translatable("Detect it")), *_titles()],
    )  # fmt: skip
    split: str = option(
        Sentence.Split.TEST.value, "The split to use if neither the file nor its name (train.txt, dev.txt) gives one.",
        label="Split", choices=Sentence.Split.choices,
    )  # fmt: skip
    tune: float = option(
        0.0, "Share of the training texts without a pair, as in MSD; its authors took 20.",
        label="Share for tuning, in per cent", **TUNED,
    )  # fmt: skip


def _titles() -> list[tuple[str, str]]:
    return [(name, form.title) for name, form in gold_formats().items()]


def head_of(path: Path) -> bytes:
    """The first bytes of a file, as many as tell its format."""
    with path.open("rb") as stream:
        return stream.read(HEAD)


def is_gyafc_folder(folder: Path) -> bool:
    """Whether it has a folder train, tune or test with files without an ending in it."""
    return any(
        path.is_file() and "." not in path.name
        for split_folder in folder.rglob("*")
        if split_folder.is_dir() and split_folder.name in SPLITS
        for path in split_folder.iterdir()
    )


def format_in_archive(path: Path) -> str:
    """The format of a file in an archive; "" for one that is no gold, such as a readme."""
    if path.suffix == ".md" or path.stem.lower() in ("readme", "license", "licence", "datasheet", "guidelines"):
        return ""
    try:
        return recognised_format(path, path.name)
    except UserError:
        return ""


def recognised_format(path: Path, name: str) -> str:
    """The format of a file by its ending and its first line."""
    head = head_of(path)
    first = head.decode("utf-8-sig", "replace").lstrip()
    if path.suffix == ".parquet" or head.startswith(b"PAR1"):
        return "parquet"
    if first.startswith("{"):
        return _of_object(first)
    if first.startswith("kind,source_id,"):
        return "csv"
    lines = first.replace("\r\n", "\n").split("\n\n")[0].splitlines()
    if len(lines) in (3, 5) and path.suffix in ("", ".txt"):
        return "medlane"
    raise UserError(
        "it is not in a format of gold; the formats are {gold_formats}.",
        gold_formats=first_five(gold_formats()),
        where=name,
    )


def _of_object(first: str) -> str:
    """The form of JSON: lines of gold say a kind, those of MSD a label; PLABA's one object is keyed by question."""
    try:
        entry = orjson.loads(first.splitlines()[0])
    except orjson.JSONDecodeError:
        return "plaba"
    if not isinstance(entry, dict):
        return "plaba"
    return "jsonl" if "kind" in entry else "msd" if "label" in entry and "text" in entry else "plaba"


def split_in(name: str) -> str:
    """The split that a file's name says, if it says one."""
    match = SPLIT.search(name.lower())
    return NAMED.get(match[1], match[1]) if match else ""


FULLEST = ("jsonl", "parquet", "csv")
"""The formats that hold every kind of gold with its splits: beside one of these, other files say nothing more."""


class GoldFile(NamedTuple):
    """A file to read: its format, and the split of rows whose format says none."""

    form: str
    file: TextFile
    split: str


@contextmanager
def gold_files(file: TextFile, form: str, split: str) -> Iterator[list[GoldFile]]:
    """The files of gold in `file`, a path, an upload, a folder or a ZIP archive.

    Args:
        form: The name of the format; "" where it is to be recognised.
        split: That of rows whose format and file name say none.

    Raises:
        UserError: There is no file of gold in it, or there are files in two formats.
    """
    with TemporaryDirectory(prefix="restyle-gold-") as scratch:
        path = local_path(file, Path(scratch))
        if path.is_file() and head_of(path).startswith(ZIP):
            with Confined(file.name) as process:
                path = process.call(unpacked, path, Path(scratch) / "archive", file.name)
        if path.is_dir():
            yield _of_folder(path, file.name, form, split)
        else:
            known = form or recognised_format(path, file.name)
            yield [GoldFile(known, TextFile(path, file.name, file.encoding), split)]


def _of_folder(folder: Path, name: str, form: str, split: str) -> list[GoldFile]:
    folder = _innermost(folder)
    if form == "gyafc" or (not form and is_gyafc_folder(folder)):
        return [GoldFile("gyafc", TextFile(folder, name), split)]
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not passed_over(path.name))
    recognised = [(form or format_in_archive(path), path) for path in paths]
    readable = [
        (kind, path) for kind, path in recognised if kind and (not form or path.suffix in gold_formats()[form].suffixes)
    ]
    fullest = next((kind for kind in FULLEST if any(own == kind for own, _ in readable)), "")
    chosen = [(kind, path) for kind, path in readable if not fullest or kind == fullest]
    kinds = sorted({kind for kind, _ in chosen})
    if not kinds:
        raise UserError("it holds no file of gold.", where=name)
    if len(kinds) > 1:
        raise UserError("it holds gold in several formats, {kinds}; choose one.", kinds=", ".join(kinds), where=name)
    return [
        GoldFile(kind, TextFile(path, f"{name}/{path.relative_to(folder).as_posix()}"), split_in(path.name) or split)
        for kind, path in chosen
    ]


def _innermost(folder: Path) -> Path:
    """The folder within folders that hold nothing else; not that of a split, or of GYAFC's one domain."""
    while len(entries := [path for path in folder.iterdir() if not passed_over(path.name)]) == 1:
        only = entries[0]
        if not only.is_dir() or only.name in SPLITS or any((only / split).is_dir() for split in SPLITS):
            break
        folder = only
    return folder
