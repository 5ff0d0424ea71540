"""Gold rewrites as JSON lines: one object a rewrite, with where it comes from.

The keys are those of `Rewrite`; `written_at` is ISO 8601 with its offset, or null.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from datetime import datetime
from typing import Any

from corpora.formats._decode import TextFile
from corpora.formats._entry import Rewrite, RewriteFormat
from corpora.formats.jsonl import is_text, objects
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
                raise UserError(f"there is no key '{name}' in a gold rewrite.", where=where)
        for name in REQUIRED:
            if name not in entry:
                raise UserError(f"the key '{name}' is missing.", where=where)
        yield Rewrite(**{name: _value(name, value, where) for name, value in entry.items()})


def _value(name: str, value: object, where: str) -> Any:
    if name == "revision":
        if not isinstance(value, int) or isinstance(value, bool):
            raise UserError("a whole number was expected for 'revision'.", where=where)
        return value
    if name == "written_at":
        return _time(value, where)
    if value is None or not is_text(value):
        raise UserError(f"a text was expected for '{name}'.", where=where)
    return value


def _time(value: object, where: str) -> datetime | None:
    try:
        return None if value is None else datetime.fromisoformat(str(value))
    except ValueError:
        raise UserError(
            f"a time such as 2026-01-31T12:00:00+00:00 was expected, and not '{value}'.", where=where
        ) from None


FORMAT = RewriteFormat(
    "Gold rewrites, JSON lines",
    "One JSON object a rewrite, with its provenance.",
    (".jsonl",),
    write=write,
    suffix=".jsonl",
    media_type="application/x-ndjson",
)
