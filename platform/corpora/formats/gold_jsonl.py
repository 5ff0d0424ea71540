"""Gold rewrites as JSON lines: one object a rewrite, with its provenance.

The keys are those of `Rewrite`; `written_at` is ISO 8601 with its offset, or null.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from corpora.formats._base import Rewrite, RewriteFormat
from corpora.gold_records import value_of
from corpora.text_files.decoding import TextFile
from corpora.text_files.json_lines import objects
from foundation.errors import UserError

NAMES = [field.name for field in fields(Rewrite)]
REQUIRED = ("source_id", "source", "source_style", "target_style", "text")
BATCH = 500


def write(rewrites: Iterable[Rewrite]) -> Iterator[bytes]:
    """Chunks of UTF-8, a few hundred lines each."""
    lines: list[str] = []
    for rewrite in rewrites:
        lines.append(json.dumps(_entry(rewrite), ensure_ascii=False))
        if len(lines) == BATCH:
            yield _chunk(lines)
            lines = []
    if lines:
        yield _chunk(lines)


def _entry(rewrite: Rewrite) -> dict[str, Any]:
    entry = {name: getattr(rewrite, name) for name in NAMES}
    entry["written_at"] = rewrite.written_at.isoformat() if rewrite.written_at else None
    return entry


def _chunk(lines: list[str]) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


def read(file: TextFile) -> Iterator[Rewrite]:
    """The rewrites that `write` wrote. A key that is missing, strange or of the wrong kind is a `UserError`."""
    for line, entry in objects(file):
        where = f"{file.name}, line {line}"
        for name in entry:
            if name not in NAMES:
                raise UserError("there is no key '{name}' in a gold rewrite.", name=name, where=where)
        for name in REQUIRED:
            if name not in entry:
                raise UserError("the key '{name}' is missing.", name=name, where=where)
        yield Rewrite(**{name: value_of(name, value, where) for name, value in entry.items()})


FORMAT = RewriteFormat(
    "Gold rewrites, JSON lines",
    "One JSON object a rewrite, with its provenance.",
    (".jsonl",),
    write=write,
    suffix=".jsonl",
    media_type="application/x-ndjson",
)
