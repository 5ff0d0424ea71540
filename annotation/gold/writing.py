"""The files of a release, written to the disk before anything is in the database."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO

from annotation.gold.settings import forms
from annotation.gold.spool import Spool, joined
from corpora.formats import GoldFormat
from foundation.errors import UserError

PIECE = 1024 * 1024
SPLITS = ("train", "tune", "test")


@dataclass(frozen=True)
class Written:
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


def written(name: str, media_type: str, rows: int, chunks: Iterable[bytes], step: Callable[[], None]) -> Written:
    """A file from its chunks; `step` is called at each, and may stop it."""
    file = TemporaryFile()  # noqa: SIM115 (closed with the release)
    digest, size = hashlib.sha256(), 0
    for chunk in chunks:
        file.write(chunk)
        digest.update(chunk)
        size += len(chunk)
        step()
    return Written(name, media_type, rows, size, digest.hexdigest(), file)


def planned(spool: Spool, names: Iterable[str]) -> list[tuple[str, GoldFormat, str, int]]:
    """(file name, form, split or nothing, rows) of every file; a UserError where a form would hold nothing."""
    plan: list[tuple[str, GoldFormat, str, int]] = []
    for name in names:
        form = forms()[name]
        made = [(split, _rows(spool, form, split)) for split in (SPLITS if form.by_split else ("",))]
        files = [(_name(name, form, split), form, split, rows) for split, rows in made if rows]
        if not files:
            kinds = ", ".join(sorted(spool.count(0)))
            raise UserError(f"The form '{name}' holds none of this gold, which is of the kind {kinds}.", where="forms")
        plan += files
    return plan


def _rows(spool: Spool, form: GoldFormat, split: str) -> int:
    held = spool.counts.items()
    return sum(rows for (kind, own, _), rows in held if form.holds(kind) and (not split or own == split))


def _name(name: str, form: GoldFormat, split: str) -> str:
    return f"{'gold' if not form.kinds else '-'.join(filter(None, [name, split]))}{form.suffix}"


def chunks_of(spool: Spool, name: str, form: GoldFormat, split: str) -> Iterator[bytes]:
    """The file's bytes; the rows are kept as JSON lines already."""
    if name == "gold.jsonl":
        return joined(spool.lines())
    return form.write(spool.rows(form.holds, split))
