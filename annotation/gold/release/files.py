"""The files of a release, written to the disk before anything is in the database."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO

from annotation.gold.release.row_spool import RowSpool, chunked
from annotation.gold.release.settings import gold_formats
from corpora.formats import GoldFormat
from foundation.errors import UserError

PIECE = 1024 * 1024
SPLITS = ("train", "tune", "test")


@dataclass(frozen=True)
class WrittenFile:
    """A file on the disk with all that its row in the database says."""

    name: str
    media_type: str
    rows: int
    size: int
    sha256: str
    file: IO[bytes]

    def pieces(self) -> Iterator[bytes]:
        self.file.seek(0)
        while piece := self.file.read(PIECE):
            yield piece


def write_file(name: str, media_type: str, rows: int, chunks: Iterable[bytes], step: Callable[[], None]) -> WrittenFile:
    """A file from its chunks; `step` is called at each, and may stop it."""
    file = TemporaryFile()  # noqa: SIM115 (closed with the release)
    digest, size = hashlib.sha256(), 0
    for chunk in chunks:
        file.write(chunk)
        digest.update(chunk)
        size += len(chunk)
        step()
    return WrittenFile(name, media_type, rows, size, digest.hexdigest(), file)


def plan_files(spool: RowSpool, names: Iterable[str]) -> list[tuple[str, GoldFormat, str, int]]:
    """(file name, form, split or nothing, rows) of every file; a UserError where a form would hold nothing."""
    plan: list[tuple[str, GoldFormat, str, int]] = []
    for name in names:
        form = gold_formats()[name]
        planned = [(split, _rows(spool, form, split)) for split in (SPLITS if form.by_split else ("",))]
        files = [(_name(name, form, split), form, split, rows) for split, rows in planned if rows]
        if not files:
            kinds = ", ".join(sorted(spool.count(0)))
            raise UserError(
                "The format '{name}' cannot hold this gold, which is of the kind {kinds}.",
                name=name,
                kinds=kinds,
                where="forms",
            )
        plan += files
    return plan


def _rows(spool: RowSpool, form: GoldFormat, split: str) -> int:
    counts = spool.counts.items()
    return sum(rows for (kind, own, _), rows in counts if form.holds(kind) and (not split or own == split))


def _name(name: str, form: GoldFormat, split: str) -> str:
    return f"{'gold' if not form.kinds else '-'.join(filter(None, [name, split]))}{form.suffix}"


def file_chunks(spool: RowSpool, name: str, form: GoldFormat, split: str) -> Iterator[bytes]:
    """The file's bytes; the rows are kept as JSON lines already."""
    if name == "gold.jsonl":
        return chunked(spool.lines())
    return form.write(spool.rows(form.holds, split))
