"""Gold of every kind as JSON lines: an object a row, its provenance first, then its product.

The keys are those of `GoldRow`; those of the product stand beside them, and `extra` only where there is any.
"""

from collections.abc import Iterable, Iterator

import orjson

from corpora.formats._base import GoldFormat
from corpora.gold_records import GoldRow, entry_of, row_from
from corpora.text_files.decoding import TextFile
from corpora.text_files.json_lines import objects

BATCH = 500


def write(rows: Iterable[GoldRow]) -> Iterator[bytes]:
    """Chunks of UTF-8, a few hundred lines each."""
    lines: list[bytes] = []
    for row in rows:
        lines.append(orjson.dumps(entry_of(row)))
        if len(lines) == BATCH:
            yield b"\n".join(lines) + b"\n"
            lines = []
    if lines:
        yield b"\n".join(lines) + b"\n"


def read(file: TextFile, styles: tuple[str, str] = ("", ""), split: str = "") -> Iterator[GoldRow]:
    """The rows that `write` wrote; the file itself says styles and splits."""
    for line, entry in objects(file):
        yield row_from(entry, f"{file.name}, line {line}")


FORMAT = GoldFormat(
    "Gold, JSON lines",
    "One JSON object per row, with its provenance; gold of every kind.",
    (".jsonl",),
    write=write,
    read=read,
    suffix=".jsonl",
    media_type="application/x-ndjson",
)
