"""The folder layout of the GYAFC corpus (Rao and Tetreault 2018, section 3).

    DOMAIN/train/informal        DOMAIN/train/formal                       line-aligned pairs
    DOMAIN/test/informal         DOMAIN/test/formal.ref0 ... formal.ref3   sources, and up to four rewrites of each
    DOMAIN/test/formal           DOMAIN/test/informal.ref0 ...             the other direction; `tune` is as `test`

A line holds one text: line breaks within a text become spaces. Where a source has fewer references than others, its
line in the further files is empty. Texts without a domain stand without its folder.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from io import BytesIO
from itertools import groupby
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, cast

from corpora.formats._base import GoldFormat
from corpora.gold_records import SPLITS, STYLES, GoldRow, Item, one_line, read_folder, read_zip
from corpora.text_files.decoding import TextFile
from corpora.text_files.zip_stream import zip_stream
from foundation.errors import UserError
from foundation.papers import GYAFC

__all__ = ["FORMAT", "Item", "read", "read_folder", "read_zip", "write", "write_items"]

IN_MEMORY = 1024 * 1024


def write(rewrites: Iterable[GoldRow]) -> Iterator[bytes]:
    """A ZIP archive in chunks. Rewrites of one source stand together; each is one of its references, in order.

    The text from which the source itself was rewritten is its last reference (in GYAFC the fourth of the way back).
    """
    items = (_item(list(group)) for _, group in groupby(rewrites, key=lambda rewrite: rewrite.source_id))
    return write_items(items)


def _item(group: list[GoldRow]) -> Item:
    first = group[0]
    pairs = list(map(_texts, group))
    references = (*(text for _, text, _ in pairs), *filter(None, [pairs[0][2]]))
    return Item(first.domain, first.split, first.source_style, first.target_style, pairs[0][0], references)


def _texts(row: GoldRow) -> tuple[str, str, str]:
    if row.kind != "rewrite":
        raise UserError("GYAFC's layout holds no gold of the kind '{kind}'.", kind=row.kind, where=row.source_id)
    return row.product["source"], row.product["text"], row.product.get("original", "")


def read(file: TextFile, styles: tuple[str, str] = STYLES, split: str = "") -> Iterator[GoldRow]:
    """A row for each reference in an archive of that layout, or in a folder of it."""
    if isinstance(file.source, Path) and file.source.is_dir():
        items = read_folder(file.source, styles)
    else:
        items = read_zip(as_file(file), file.name, styles, limit=file.limit)
    for number, item in enumerate(items, 1):
        for reference in item.references:
            product = {"kind": "rewrite", "source": item.source, "text": reference}
            yield GoldRow(
                "rewrite", str(number), item.source_style, item.target_style, product, item.split, item.domain
            )


def write_items(items: Iterable[Item]) -> Iterator[bytes]:
    """A ZIP archive in chunks; the texts wait in temporary files, since they come in any order."""
    with ExitStack() as stack:
        folder = _Folder(stack)
        for item in items:
            folder.add(item)
        yield from zip_stream(folder.finished())


class _Folder:
    """The files of the layout, as they grow. References are kept aligned with the sources before them."""

    def __init__(self, stack: ExitStack) -> None:
        self.stack = stack
        self.files: dict[str, IO[bytes]] = {}
        self.lengths: dict[str, int] = {}
        self.styles: set[str] = set()

    def add(self, item: Item) -> None:
        self._check(item)
        home = "/".join(filter(None, [folder_of(item.domain), item.split]))
        if item.split == "train":
            for reference in item.references:
                self._line(f"{home}/{item.source_style}", item.source)
                self._line(f"{home}/{item.target_style}", reference)
            return
        sources = f"{home}/{item.source_style}"
        self._line(sources, item.source)
        for number, reference in enumerate(item.references):
            name = f"{home}/{item.target_style}.ref{number}"
            self._fill(name, self.lengths[sources] - 1)
            self._line(name, reference)

    def finished(self) -> Iterator[tuple[str, IO[bytes]]]:
        for name in sorted(self.files):
            source = _source_of(name, self.styles)
            self._fill(name, self.lengths.get(source, 0))
            self.files[name].seek(0)
            yield name, self.files[name]

    def _check(self, item: Item) -> None:
        self.styles |= {item.source_style, item.target_style}
        if item.split not in SPLITS:
            raise UserError("the GYAFC layout has the splits train, tune and test, and no '{split}'.", split=item.split)
        if len(self.styles) > 2:
            raise UserError(
                "the GYAFC layout holds two styles, and these are {styles}.", styles=", ".join(sorted(self.styles))
            )
        if not all(re.fullmatch(r"\w+", style) for style in self.styles):
            raise UserError("a style's name is that of a file here, and may hold letters, digits and _ only.")

    def _line(self, name: str, text: str) -> None:
        self._file(name).write((one_line(text) + "\n").encode())
        self.lengths[name] += 1

    def _fill(self, name: str, length: int) -> None:
        lacking = length - self.lengths.get(name, 0)
        if lacking > 0:
            self._file(name).write(b"\n" * lacking)
            self.lengths[name] += lacking

    def _file(self, name: str) -> IO[bytes]:
        if name not in self.files:
            self.files[name] = self.stack.enter_context(SpooledTemporaryFile(IN_MEMORY))  # noqa: SIM115
            self.lengths[name] = 0
        return self.files[name]


def _source_of(name: str, styles: Iterable[str]) -> str:
    """The file of sources that a file of references belongs to; empty for others."""
    home, _, file = name.rpartition("/")
    style, reference, _ = file.rpartition(".ref")
    return next((f"{home}/{other}" for other in sorted(styles) if other != style), "") if reference else ""


def folder_of(domain: str) -> str:
    """A domain as the name of a folder: "Entertainment & Music" is Entertainment_Music."""
    return re.sub(r"\W+", "_", domain).strip("_")


def as_file(file: TextFile) -> Path | IO[bytes]:
    """Something that an archive can be read from."""
    if isinstance(file.source, bytes):
        return BytesIO(file.source)
    return file.source if isinstance(file.source, Path) else cast(IO[bytes], file.source)


FORMAT = GoldFormat(
    "GYAFC corpus layout",
    "A ZIP archive of folders by domain and split, with one text per line.",
    (".zip",),
    paper=GYAFC,
    write=write,
    read=read,
    suffix=".zip",
    media_type="application/zip",
    kinds=frozenset({"rewrite"}),
)
