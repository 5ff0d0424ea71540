"""The forms in which answers leave, each streamed as chunks of bytes."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from itertools import groupby
from operator import itemgetter
from types import SimpleNamespace
from typing import Any

import orjson
from django.utils.translation import gettext_noop

from annotation.answer_export.rows import (
    ABOUT,
    FACTS,
    AnswerPart,
    AnswerReader,
    AnswerRow,
    answer_rows,
    most_outputs,
    source_of,
)
from annotation.marked_texts import MQM_COLUMNS, MarkedText, esa_lines, mqm_rows, pearmut_lines
from annotation.models import Campaign
from annotation.scales import SCALES
from annotation.task_types import TASK_TYPES
from corpora.tabular_files import escape_cell, typed_parquet

KNOWN = (*FACTS, *ABOUT)
LONG = (*KNOWN, "part", "place", "criterion", "value", "word", "scale", "text", "role", "systems")
NOTHING: tuple[Any, ...] = ("", None, "", None, "", "", "", "", [])
ROLE = itemgetter(LONG.index("role") - len(KNOWN))
BETWEEN = " | "
WRITTEN = [
    KNOWN.index(name) for name in ("reason", "comment", "reply", "domain", "document", "question", "topic", "source")
]
SWITCHES = [KNOWN.index(name) for name in ("counts", "late", "pilot", "control")]
FLAGS = KNOWN.index("flags")


def cells(known: list[Any]) -> list[Any]:
    """The values of `KNOWN` as cells of CSV: what people wrote is defused, None is left empty by the writer."""
    for place in WRITTEN:
        if known[place]:
            known[place] = escape_cell(known[place])
    for place in SWITCHES:
        known[place] = "yes" if known[place] else "no"
    known[FLAGS] = BETWEEN.join(known[FLAGS])
    return known


class LongTable:
    """The columns beyond the facts of a row that holds one statement; (None, "") where there is none."""

    def __init__(self, reader: AnswerReader) -> None:
        self.reader = reader
        criteria = reader.settings.get("criteria", [])
        self.scales = (
            {criterion["name"]: criterion["scale"] for criterion in criteria} if isinstance(criteria, list) else {}
        )
        self.words = {
            name: {level["value"]: level["label"] for level in SCALES[scale].shown}
            for name, scale in self.scales.items()
        }

    def rows(self, revision: AnswerRow) -> Iterator[tuple[Any, ...]]:
        """`part`, `place`, `criterion`, `value` (a number), `word`, `scale`, `text`, `role` and `systems` of each."""
        parts = list(self.reader.parts(revision))
        for part in parts:
            said, place, origin = part
            number = said.value if isinstance(said.value, (int, float)) else None
            word = self.words.get(said.criterion, {}).get(number, "") if number is not None else said.value
            scale = self.scales.get(said.criterion, "")
            yield said.source, place, said.criterion, number, word, scale, said.text, origin.role, origin.systems
        if not parts:
            yield NOTHING

    def cells(self, revision: AnswerRow) -> Iterator[tuple[Any, ...]]:
        """The same as cells of CSV."""
        for source, place, criterion, value, word, scale, text, role, systems in self.rows(revision):
            yield (
                source and escape_cell(source), place, escape_cell(criterion), value, word and escape_cell(word), scale,
                text and escape_cell(text), role, escape_cell(BETWEEN.join(systems)),
            )  # fmt: skip


class WideTable:
    """The columns of all campaigns of an export: those of the outputs by place, then those that stand once."""

    def __init__(self, campaigns: Sequence[Campaign]) -> None:
        asked: dict[str, None] = {}
        once: dict[str, None] = {}
        judging = [campaign for campaign in campaigns if TASK_TYPES[campaign.task_type].judges()]
        for campaign in campaigns:
            kind = TASK_TYPES[campaign.task_type]
            (asked if kind.judges() else once).update(dict.fromkeys(kind.asked(campaign.settings)))
            if kind.of_outputs and not kind.judges():
                once |= dict.fromkeys(["text", "systems"])
        most = most_outputs([campaign.pk for campaign in judging]) if judging else 0
        placed = [f"{name}_{place}" for place in range(1, most + 1) for name in ("output", "role", "systems", *asked)]
        self.columns = [*KNOWN, *placed, *once, "problem"]
        self.places = {name: place for place, name in enumerate([*placed, *once, "problem"])}

    def row(self, reader: AnswerReader, revision: AnswerRow) -> list[Any]:
        """The cells beyond the facts."""
        cells: list[Any] = [""] * len(self.places)
        for place, text, origin, values in reader.shown(revision):
            written = {"output": text, "role": origin.role, "systems": BETWEEN.join(origin.systems), **values}
            if reader.marks and revision.outcome == "answered":
                written["mark"] = dumps(orjson.loads(revision.answer)["marks"]).decode()
            for name, value in written.items():
                self._put(cells, f"{name}_{place}", value)
        if revision.order and revision.outcome == "answered":
            return cells
        once: dict[str, list[AnswerPart]] = {}
        for part in reader.parts(revision):
            once.setdefault(part.said.criterion, []).append(part)
            if part.origin.role:
                self._put(cells, "text", part.said.text)
                self._put(cells, "systems", BETWEEN.join(part.origin.systems))
        for criterion, parts in once.items():
            self._put(cells, criterion, _once_cell(criterion, parts))
        return cells

    def _put(self, cells: list[Any], column: str, value: Any) -> None:
        if (place := self.places.get(column)) is not None:
            cells[place] = escape_cell(value) if isinstance(value, str) else value


def _once_cell(criterion: str, parts: Sequence[AnswerPart]) -> Any:
    """A single plain part as it is; several, or one with a source of its own, as JSON."""
    if len(parts) == 1 and not parts[0].said.source and criterion != "problem":
        said = parts[0].said
        return said.text if said.value == "" else said.value
    entries = [{"value": part.said.value, "source": part.said.source, "text": part.said.text} for part in parts]
    return orjson.dumps([{key: value for key, value in entry.items() if value != ""} for entry in entries]).decode()


dumps = orjson.dumps


def line(reader: AnswerReader, revision: AnswerRow) -> bytes:
    """The facts about the answer, then `item` with its texts, then the statements of the answer.

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
    outputs: list[dict[str, Any]] = [
        {"place": place, "text": text, "role": role, "systems": systems, "values": values}
        for place, text, (role, systems), values in reader.shown(revision)
    ]
    if revision.outcome != "answered":
        return b',"outputs":', dumps(outputs), b',"answer":', revision.answer.encode()
    unfolded = orjson.loads(revision.answer).get("unfolded") if '"unfolded"' in revision.answer else None
    if unfolded is not None:
        for output in outputs:
            output["unfolded"] = revision.order[output["place"] - 1] + 1 in unfolded
    if reader.marks:
        outputs[0]["marks"] = orjson.loads(revision.answer)["marks"]
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
    """An export: the answers of some campaigns, with pseudonyms by person, and the flags of each campaign."""

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


def batches(export: AnswerExport) -> Iterator[tuple[AnswerReader, Sequence[AnswerRow]]]:
    for reader in export.readers:
        flags = export.flags(reader.campaign)
        for batch in answer_rows(reader.campaign, export.which, export.names, flags):
            yield reader, reader.read(batch)


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
            for role, same in groupby(rows(revision), key=ROLE):
                begun = table.begin(cells(reader.known(revision, role)))
                for row in same:
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


def _marked(export: AnswerExport, write: Callable[[MarkedText], Iterator[bytes]]) -> Iterator[bytes]:
    """The answers with marked spans, of the campaigns that ask for them."""
    marking = AnswerExport(
        [reader for reader in export.readers if reader.marks], export.which, export.names, export.flags
    )
    for reader, batch in batches(marking):
        answered = (revision for revision in batch if revision.outcome == "answered")
        yield b"".join(row for revision in answered for row in write(_marked_text(reader, revision)))


def _marked_text(reader: AnswerReader, revision: AnswerRow) -> MarkedText:
    known = dict(zip(KNOWN, reader.known(revision), strict=True))
    document, _, number = (known["source_id"] or f"item-{known['item']}").rpartition("-")
    ((_, text, origin, values),) = reader.shown(revision)
    marks, systems = orjson.loads(revision.answer)["marks"], origin.systems or [origin.role]
    source = revision.content["source"]
    return MarkedText(document, number, known["annotator"], source, text, systems, marks, values.get("score"))


def _mqm(export: AnswerExport) -> Iterator[bytes]:
    yield ("\t".join(MQM_COLUMNS) + "\n").encode()
    yield from _marked(export, mqm_rows)


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
            for role, same in groupby(longs[id(reader)].rows(revision), key=ROLE):
                known = _typed(reader.known(revision, role))
                for row in same:
                    yield (*known, *row)


def file_name(slug: str, form: str) -> str:
    return f"{slug}-answers{EXPORT_FORMATS[form].suffix}"


EXPORT_FORMATS = {
    "jsonl": ExportFormat(
        gettext_noop("JSON lines"),
        gettext_noop("One answer per line, complete, with its item and its outputs."),
        ".jsonl", "application/x-ndjson", _jsonl,
    ),
    "long": ExportFormat(
        gettext_noop("CSV, long"),
        gettext_noop("One row per judgement: one output on one criterion."),
        "-long.csv", "text/csv; charset=utf-8", _long,
    ),
    "wide": ExportFormat(
        gettext_noop("CSV, wide"),
        gettext_noop("One row per answer, with a column for each criterion and place."),
        "-wide.csv", "text/csv; charset=utf-8", _wide,
    ),
    "mqm": ExportFormat(
        gettext_noop("MQM, tab-separated"),
        gettext_noop("One row per mark, as WMT publishes MQM ratings; campaigns without marked spans have none."),
        "-mqm.tsv", "text/tab-separated-values; charset=utf-8", _mqm,
    ),
    "esa": ExportFormat(
        gettext_noop("ESA, JSON lines"),
        gettext_noop("One text with its marks and score per line, as WMT publishes ESA judgements."),
        "-esa.jsonl", "application/x-ndjson", lambda export: _marked(export, esa_lines),
    ),
    "pearmut": ExportFormat(
        gettext_noop("Pearmut, JSON lines"),
        gettext_noop("One text with its marks and score per line, as Pearmut keeps its answers."),
        "-pearmut.jsonl", "application/x-ndjson", lambda export: _marked(export, pearmut_lines),
    ),
    "parquet": ExportFormat(
        gettext_noop("Parquet"),
        gettext_noop("The long table with typed columns, for data frames."),
        ".parquet", "application/vnd.apache.parquet", _parquet,
    ),
}  # fmt: skip
