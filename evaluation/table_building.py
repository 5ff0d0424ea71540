"""Every table and figure of a study, made once, when its report is."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import Content, Entry, Json, MissingContent, Table
from evaluation.tables._base import TableOrFigure
from foundation.errors import UserError

BY_JUDGEMENT = "Means of judgements count each judgement once: a sentence with more of them weighs more."


class _ReportPending(Exception):
    """The report is asked for before it is there."""


class _PendingReport(Mapping[str, Any]):
    """A report that is not there yet."""

    def __getitem__(self, key: str) -> Any:
        raise _ReportPending

    def __iter__(self) -> Iterator[str]:
        raise _ReportPending

    def __len__(self) -> int:
        raise _ReportPending


def tables_json(snapshot: StudySnapshot, made: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """All entries by name, in the order of their places; one that cannot be made names the missing parts.

    `made` are those that are there already.
    """
    entries, present = all_entries(), made or {}
    return {name: present[name] if name in present else _entry(name, entries[name], snapshot) for name in entries}


def tables_before(snapshot: StudySnapshot) -> dict[str, Any]:
    """The entries that ask for nothing of the report, which may still be in the making."""
    unmade, tables = replace(snapshot, report=_PendingReport()), {}
    for name, entry in all_entries().items():
        with suppress(_ReportPending):
            tables[name] = _entry(name, entry, unmade)
    return tables


def all_entries() -> dict[str, TableOrFigure]:
    """Every table and figure in the order of its place, loaded."""
    from evaluation.tables import TABLES

    entries: Mapping[str, TableOrFigure] = {name: TABLES[name] for name in TABLES}
    return dict(sorted(entries.items(), key=lambda item: (item[1].kind, item[1].order, item[0])))


def _entry(name: str, entry: TableOrFigure, snapshot: StudySnapshot) -> Json:
    return entry_json(name, entry, _made(entry, snapshot))


COUNTED = "Among the people who judged is {names}, as the report was asked to count it."


def entry_json(name: str, entry: TableOrFigure, content: Content) -> Json:
    """The entry with its content, as a report keeps it."""
    return Entry(name, entry.kind, entry.order, entry.number, entry.paper, content).json(entry.title)


def _made(entry: TableOrFigure, snapshot: StudySnapshot) -> Content:
    try:
        return _noted(entry, snapshot, _counted(entry, snapshot, _averaged(snapshot, entry.make(snapshot))))
    except UserError as error:
        return MissingContent(entry.title, [str(error)])


def _averaged(snapshot: StudySnapshot, content: Content) -> Content:
    """With a note where means are over judgements, if it holds judgements."""
    if snapshot.averaging == "sentence" or not isinstance(content, Table):
        return content
    said = any("criterion" in cell.rows for row in content.rows for cell in row)
    return replace(content, notes=[*content.notes, BY_JUDGEMENT]) if said else content


def _counted(entry: TableOrFigure, snapshot: StudySnapshot, content: Content) -> Content:
    """With a note that names the language models among the people, where somebody asked for them."""
    if not snapshot.machines or isinstance(content, MissingContent) or (entry.of_corpus and entry.kind != "study"):
        return content
    return replace(content, notes=[*content.notes, COUNTED.format(names=", ".join(snapshot.machines))])


def _noted(entry: TableOrFigure, snapshot: StudySnapshot, content: Content) -> Content:
    """With a note on the split that it is about, where the study has texts of others."""
    part = snapshot.corpus is not None and len(snapshot.corpus.ids) > len(snapshot.units.ids)
    if entry.of_corpus or not part or isinstance(content, MissingContent):
        return content
    n, units = len(snapshot.units.ids), snapshot.unit if len(snapshot.units.ids) == 1 else f"{snapshot.unit}s"
    return replace(content, notes=[*content.notes, f"The {snapshot.split} split alone: {n:,} {units}."])
