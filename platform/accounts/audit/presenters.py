"""The audit log as it is looked through: a part of it, in words, and as a table to take away."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from accounts.audit.stored_names import SHOWN
from accounts.models import TrailEntry

HEAD = ("at", "person", "name", "kind", "study", "action", "target", "details", "changes")
BATCH = 2000
WORDS = 6  # of a search, that are looked for


def filter_entries(entries: QuerySet[TrailEntry], asked: Mapping[str, Any]) -> QuerySet[TrailEntry]:
    """The entries that have each word of `q` in the name of the action or of its target; of a `person` (their key,
    e-mail address, or a part of their name), of a `kind`, of a `study` (its slug), `since` and `until` a day (UTC, both
    inclusive). What is empty narrows nothing. `sort` "oldest" turns their order round."""
    for word in str(asked.get("q") or "").replace("_", " ").split()[:WORDS]:
        stored = [name for name, shown in SHOWN.items() if word.casefold() in shown]
        entries = entries.filter(Q(action__icontains=word) | Q(target__icontains=word) | Q(action__in=stored))
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
        entries = entries.filter(at__gte=_midnight(since))
    if until:
        entries = entries.filter(at__lt=_midnight(until) + timedelta(days=1))
    return entries.order_by("pk") if asked.get("sort") == "oldest" else entries


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


@dataclass(frozen=True)
class FieldChange:
    """A field that an action changed, in words; a value that is private or long is not `told`."""

    name: str
    told: bool = False
    before: str = ""
    after: str = ""


def entry_in_words(entry: TrailEntry) -> dict[str, Any]:
    """The action, what it was given and what it changed, as they are read; `changes` is the last field by field."""
    given = [f"{_words(key)} {value}" for key, value in entry.details.items()]
    changes = list(field_changes(entry))
    return {
        "action": _words(entry.action).capitalize(), "given": ", ".join(given), "changes": changes,
        "changed": "; ".join(f"{one.name}: {one.before} → {one.after}" if one.told else one.name for one in changes),
    }  # fmt: skip


def field_changes(entry: TrailEntry) -> Iterator[FieldChange]:
    """The fields that the action changed, each with its value before and after where these are kept."""
    for name, values in entry.changes.items():
        yield FieldChange(_words(name)) if values is None else FieldChange(_words(name), True, *map(_value, values))


def export_rows(entries: QuerySet[TrailEntry]) -> Iterator[Sequence[object]]:
    """The entries as rows of cells, their head first; times in ISO 8601, UTC."""
    yield HEAD
    for entry in entries.select_related("person").iterator(chunk_size=BATCH):
        told, who = entry_in_words(entry), entry.person
        name = "" if who is None or who.erased_at else str(who)
        when = entry.at.isoformat(timespec="seconds")
        about = (entry.kind, entry.study_slug, entry.action, entry.target)
        yield when, entry.person_id or "", name, *about, told["given"], told["changed"]


def _value(value: Any) -> str:
    return "–" if value in (None, "", [], {}) else str(value)


def _words(name: str) -> str:
    return SHOWN.get(name, name).replace("_", " ")


def _is_key(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19
