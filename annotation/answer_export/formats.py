"""The forms in which answers leave, each streamed as chunks of bytes."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from types import SimpleNamespace
from typing import Any

import orjson
from django.utils.translation import gettext_noop

from annotation.answer_export.answer_content import AnswerReader, source_of
from annotation.answer_export.answer_rows import AnswerRow, answer_rows
from annotation.answer_export.tables import KNOWN, LONG, LongTable, WideTable, cells
from annotation.models import Campaign
from corpora.tabular_files import escape_cell, typed_parquet

dumps = orjson.dumps


def line(reader: AnswerReader, revision: AnswerRow) -> bytes:
    """What is known of the answer; `item` with its texts; then what was said.

    Where texts were judged side by side they are the `outputs`, in the order shown, each with its values. Otherwise
    `answer` is the answer as it was given, and `said` the same part by part.
    """
    return b"".join(
        (*_item(revision), *(_outputs(reader, revision) if revision.order else _statements(reader, revision)), b"}\n")
    )


def _item(revision: AnswerRow) -> tuple[bytes, ...]:
    facts, about, source = (
        revision.facts[:-1].encode(),
        revision.about[:-1].encode(),
        dumps(source_of(revision.content)),
    )
    key, payload = (
        (b"references", dumps(revision.content["references"]))
        if revision.order
        else (b"content", revision.kept.encode())
    )
    return facts, b',"item":', about, b',"source":', source, b',"', key, b'":', payload, b"}"


def _outputs(reader: AnswerReader, revision: AnswerRow) -> tuple[bytes, ...]:
    outputs = [
        {"place": place, "text": text, "role": role, "systems": systems, "values": values}
        for place, (text, (role, systems), values) in enumerate(reader.shown(revision), 1)
    ]
    if revision.outcome != "answered":
        return b',"outputs":', dumps(outputs), b',"answer":', revision.answer.encode()
    unfolded = orjson.loads(revision.answer).get("unfolded")
    if unfolded is not None:
        for output, number in zip(outputs, revision.order, strict=True):
            output["unfolded"] = number + 1 in unfolded
    if revision.before is not None:
        return (
            b',"outputs":',
            dumps(outputs),
            b',"before_fix":',
            dumps(reader.by_place(revision.before, revision.order)),
        )
    return b',"outputs":', dumps(outputs)


def _statements(reader: AnswerReader, revision: AnswerRow) -> tuple[bytes, ...]:
    said = [
        {"criterion": said.criterion, "value": said.value, "text": said.text, "source": said.source, **_origin(origin)}
        for said, _place, origin in reader.parts(revision)
    ]
    line_end = b',"said":', dumps(said), b',"answer":', revision.answer.encode()
    return line_end if revision.before is None else (*line_end, b',"before_fix":', revision.before.encode())


def _origin(origin: Any) -> dict[str, Any]:
    return {"role": origin.role, "systems": origin.systems} if origin.role else {}


@dataclass(frozen=True)
class AnswerExport:
    """What leaves: the answers of some campaigns, with pseudonyms by person, and the flags of each campaign."""

    readers: Sequence[AnswerReader]
    which: str
    names: Mapping[int, str]
    flags: Callable[[Campaign], Mapping[int, list[str]]]


@dataclass(frozen=True)
class ExportFormat:
    """A form: what it is for people, and the bytes that it makes of the answers of some campaigns."""

    label: str
    about: str
    suffix: str
    media_type: str
    chunks: Callable[[AnswerExport], Iterator[bytes]]


def batches(export: AnswerExport) -> Iterator[tuple[AnswerReader, list[AnswerRow]]]:
    for reader in export.readers:
        flags = export.flags(reader.campaign)
        for batch in answer_rows(reader.campaign, export.which, export.names, flags):
            reader.read(batch)
            yield reader, batch


def _jsonl(export: AnswerExport) -> Iterator[bytes]:
    for reader, batch in batches(export):
        yield b"".join(line(reader, revision) for revision in batch)


class _Csv:
    """Rows as bytes, as many as were written since the last time."""

    def __init__(self, head: Sequence[str]) -> None:
        self.buffer = StringIO(newline="")
        self.writer = csv.writer(self.buffer)
        self.writer.writerow([escape_cell(name) for name in head])
        self.begun = list[str]()
        self.beginner = csv.writer(SimpleNamespace(write=self.begun.append), lineterminator="")

    def begin(self, cells: Sequence[Any]) -> str:
        """The beginning of rows that have the same first cells, written once for all of them."""
        self.begun.clear()
        self.beginner.writerow(cells)
        return f"{self.begun[0]},"

    def taken(self) -> bytes:
        chunk = self.buffer.getvalue().encode()
        self.buffer.seek(0)
        self.buffer.truncate()
        return chunk


def _long(export: AnswerExport) -> Iterator[bytes]:
    table = _Csv(LONG)
    longs = {id(reader): LongTable(reader) for reader in export.readers}
    for reader, batch in batches(export):
        rows = longs[id(reader)].cells
        for revision in batch:
            begun = table.begin(cells(reader.known(revision)))
            for row in rows(revision):
                table.buffer.write(begun)
                table.writer.writerow(row)
        yield table.taken()
    yield table.taken()


def _wide(export: AnswerExport) -> Iterator[bytes]:
    wide = WideTable([reader.campaign for reader in export.readers])
    table = _Csv(wide.columns)
    for reader, batch in batches(export):
        table.writer.writerows([*cells(reader.known(revision)), *wide.row(reader, revision)] for revision in batch)
        yield table.taken()
    yield table.taken()


KINDS = {
    **dict.fromkeys(("item", "group", "revision", "guideline_version", "place"), "whole"),
    **dict.fromkeys(("control", "counts", "late", "pilot"), "switch"),
    **dict.fromkeys(("seconds", "value"), "number"),
    **dict.fromkeys(("started_at", "submitted_at", "reviewed_at"), "moment"),
    **dict.fromkeys(("flags", "systems"), "texts"),
}
TIMES = [KNOWN.index(name) for name in ("started_at", "submitted_at", "reviewed_at")]


def _typed(known: list[Any]) -> list[Any]:
    for place in TIMES:
        if known[place]:
            known[place] = datetime.fromisoformat(known[place])
    return known


def _parquet(export: AnswerExport) -> Iterator[bytes]:
    return typed_parquet([(name, KINDS.get(name, "text")) for name in LONG], _typed_rows(export))


def _typed_rows(export: AnswerExport) -> Iterator[tuple[Any, ...]]:
    longs = {id(reader): LongTable(reader) for reader in export.readers}
    for reader, batch in batches(export):
        for revision in batch:
            known = _typed(reader.known(revision))
            for row in longs[id(reader)].rows(revision):
                yield (*known, *row)


def file_name(slug: str, form: str) -> str:
    return f"{slug}-answers{EXPORT_FORMATS[form].suffix}"


EXPORT_FORMATS = {
    "jsonl": ExportFormat(
        gettext_noop("JSON lines"),
        gettext_noop("An answer a line, whole, with its item and its outputs."),
        ".jsonl", "application/x-ndjson", _jsonl,
    ),
    "long": ExportFormat(
        gettext_noop("CSV, long"),
        gettext_noop("A row for each thing that was said: of each output on each criterion."),
        "-long.csv", "text/csv; charset=utf-8", _long,
    ),
    "wide": ExportFormat(
        gettext_noop("CSV, wide"),
        gettext_noop("A row for each answer, with a column for each criterion and place."),
        "-wide.csv", "text/csv; charset=utf-8", _wide,
    ),
    "parquet": ExportFormat(
        gettext_noop("Parquet"),
        gettext_noop("The long table with typed columns, for data frames."),
        ".parquet", "application/vnd.apache.parquet", _parquet,
    ),
}  # fmt: skip
