"""The audit log as it is looked through: a part of it, in words, and as a table to take away."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from django.db.models import Q, QuerySet

from accounts.audit.stored_names import SHOWN
from accounts.models import TrailEntry

HEAD = ("at", "person", "name", "kind", "study", "action", "target", "details", "changes")
BATCH = 2000


def filter_entries(entries: QuerySet[TrailEntry], asked: Mapping[str, Any]) -> QuerySet[TrailEntry]:
    """The entries of a `person` (their key, e-mail address, or a part of their name), of a `kind`, of a `study` (its
    slug), `since` and `until` a day (UTC, both inclusive). What is empty narrows nothing."""
    if person := str(asked.get("person") or "").strip():
        known = Q(person__email__iexact=person) | Q(person__name__icontains=person)
        entries = entries.filter(Q(person=int(person)) if _is_key(person) else known)
    if kind := asked.get("kind"):
        entries = entries.filter(kind=kind)
    if study := asked.get("study"):
        entries = entries.filter(study_slug=study)
    since: date | None = asked.get("since")
    until: date | None = asked.get("until")
    if since:
        entries = entries.filter(at__date__gte=since)
    return entries.filter(at__date__lte=until) if until else entries


def entry_in_words(entry: TrailEntry) -> dict[str, str]:
    """The action, what it was given and what it changed, as they are read."""
    given = [f"{_words(key)} {value}" for key, value in entry.details.items()]
    return {"action": _words(entry.action).capitalize(), "given": ", ".join(given), "changed": _changes(entry)}


def export_rows(entries: QuerySet[TrailEntry]) -> Iterator[Sequence[object]]:
    """The entries as rows of cells, their head first; times in ISO 8601, UTC."""
    yield HEAD
    for entry in entries.select_related("person").iterator(chunk_size=BATCH):
        told, who = entry_in_words(entry), entry.person
        name = "" if who is None or who.erased_at else str(who)
        when = entry.at.isoformat(timespec="seconds")
        about = (entry.kind, entry.study_slug, entry.action, entry.target)
        yield when, entry.person_id or "", name, *about, told["given"], told["changed"]


def _changes(entry: TrailEntry) -> str:
    """`role: reviewer → researcher`; of a value that is not told only its name."""
    told = []
    for name, values in entry.changes.items():
        told.append(_words(name) if values is None else f"{_words(name)}: {_value(values[0])} → {_value(values[1])}")
    return "; ".join(told)


def _value(value: Any) -> str:
    return "–" if value in (None, "", [], {}) else str(value)


def _words(name: str) -> str:
    return SHOWN.get(name, name).replace("_", " ")


def _is_key(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19
