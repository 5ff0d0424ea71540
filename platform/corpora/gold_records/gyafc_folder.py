"""Reading the folder layout of the GYAFC corpus, which `gyafc.py` describes."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import IO
from zipfile import ZipFile

from corpora.text_files.decoding import Readable, TextFile, read_lines
from corpora.text_files.zip_members import FAULTS, files_in, hold_to_limit
from foundation.errors import UserError, first_five

SPLITS = ("train", "tune", "test")
MOST_FILES = 2000
STYLES = ("informal", "formal")
Files = Mapping[str, Path] | Mapping[str, Readable]


@dataclass(frozen=True)
class Item:
    """A source and its references, in order. A pair of `train` has one; its direction is not in the layout."""

    domain: str
    split: str
    source_style: str
    target_style: str
    source: str
    references: tuple[str, ...]


def read_folder(folder: Path, styles: tuple[str, str] = STYLES) -> Iterator[Item]:
    """The items of a folder of that layout; faults are `UserError`s with file and line."""
    if not folder.is_dir():
        raise UserError("there is no such folder.", where=str(folder))
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return _read({path.relative_to(folder).as_posix(): path for path in paths}, styles, None)


def read_zip(
    file: Path | IO[bytes], name: str, styles: tuple[str, str] = STYLES, *, limit: int | None = None
) -> Iterator[Item]:
    """The items of a ZIP archive of that layout; `limit` is the most bytes a file in it may have unpacked."""
    try:
        with ZipFile(file) as archive:
            members = files_in(archive, name, MOST_FILES)
            hold_to_limit(members, name)
            with ExitStack() as stack:
                yield from _read(_Members(archive, [one.filename for one in members], stack), styles, limit)
    except FAULTS:
        raise UserError("this is not a ZIP archive that can be read.", where=name) from None


class _Member:
    """A file of an archive that says its size, since seeking its end would unpack it."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self.file, self.size = file, size

    def read(self, size: int = -1, /) -> bytes:
        return self.file.read(size)


class _Members(Mapping[str, Readable]):
    """The files of an archive, each opened when it is asked for."""

    def __init__(self, archive: ZipFile, names: Iterable[str], stack: ExitStack) -> None:
        self.archive, self.names, self.stack = archive, list(names), stack

    def __getitem__(self, name: str) -> Readable:
        member = self.archive.getinfo(name)
        return _Member(self.stack.enter_context(self.archive.open(member)), member.file_size)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def _read(files: Files, styles: tuple[str, str], limit: int | None) -> Iterator[Item]:
    homes = sorted({name.rpartition("/")[0] for name in files})
    homes = [home for home in homes if home.rpartition("/")[2] in SPLITS]
    if not homes:
        raise UserError(
            "there is no folder {splits} with the texts in it.", splits=", ".join(SPLITS), where="GYAFC layout"
        )
    for home in homes:
        domain, _, split = home.rpartition("/")
        if split == "train":
            yield from _pairs(files, home, domain, styles, limit)
            continue
        for source, target in (styles, styles[::-1]):
            if f"{home}/{source}" in files:
                yield from _sources(files, home, domain, split, (source, target), limit)


def _pairs(
    files: Files,
    home: str,
    domain: str,
    styles: tuple[str, str],
    limit: int | None,
) -> Iterator[Item]:
    columns = [_lines(files, f"{home}/{style}", limit) for style in styles]
    for number, (source, text) in enumerate(zip_longest(*columns), 1):
        _refuse_uneven((source, text), [f"{home}/{style}" for style in styles], number)
        yield Item(domain, "train", *styles, source, (text,))


def _sources(
    files: Files,
    home: str,
    domain: str,
    split: str,
    styles: tuple[str, str],
    limit: int | None,
) -> Iterator[Item]:
    source, target = styles
    names = [f"{home}/{source}"]
    while f"{home}/{target}.ref{len(names) - 1}" in files:
        names.append(f"{home}/{target}.ref{len(names) - 1}")
    if len(names) == 1:
        raise UserError("there is no {target}.ref0 for these sources.", target=target, where=names[0])
    for number, texts in enumerate(zip_longest(*(_lines(files, name, limit) for name in names)), 1):
        _refuse_uneven(texts, names, number)
        yield Item(domain, split, source, target, texts[0], _references(texts[1:]))


def _references(texts: tuple[str, ...]) -> tuple[str, ...]:
    """The references of a source. One that is lacking before others stays, empty, so that the others keep theirs."""
    count = max((number for number, text in enumerate(texts, 1) if text.strip()), default=0)
    return tuple(text if text.strip() else "" for text in texts[:count])


def _lines(files: Files, name: str, limit: int | None) -> Iterator[str]:
    if name not in files:
        raise UserError("the file is missing.", where=name)
    return read_lines(TextFile(files[name], name, limit=limit))


def _refuse_uneven(texts: tuple[str | None, ...], names: list[str], number: int) -> None:
    short = [name for name, text in zip(names, texts, strict=True) if text is None]
    if short:
        raise UserError(
            "the file ends before line {number}, which {names} or a file beside it has.",
            number=number,
            names=names[0],
            where=first_five(short),
        )
    if not (texts[0] or "").strip():
        raise UserError("the line is empty.", where=f"{names[0]}, line {number}")
