"""The files of gold in a file, a folder or an archive, each with its format and its split."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from annotation.gold.imports.archive import ZIP, local_path, passed_over, unpacked
from annotation.gold.imports.recognition import (
    SPLITS,
    format_in_archive,
    head_of,
    is_gyafc_folder,
    recognised_format,
    split_in,
)
from annotation.gold.release.settings import gold_formats
from corpora.formats import TextFile
from foundation.confined import Confined
from foundation.errors import UserError

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
        raise UserError("there is no file of gold in it.", where=name)
    if len(kinds) > 1:
        raise UserError("it holds gold in several forms, {kinds}; say which one.", kinds=", ".join(kinds), where=name)
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
