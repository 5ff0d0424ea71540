"""Looking through the audit log: filters, its rows in words, and its download as a table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any, cast

from django.apps import apps
from django.db import models
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext

from accounts import audit_words
from accounts.audit import SHOWN, names_of_columns
from accounts.models import AuditEntry
from foundation.key_labels import label_of_key

HEAD = ("at", "person", "name", "kind", "study", "action", "target", "details", "changes")
BATCH = 2000
NOTHING: tuple[Any, ...] = (None, "", 0, "0", False)
MOMENTS = (
    *("opened_at", "closed_at", "changed_at", "made_at", "removed_at", "decided_at", "revoked_at", "replied_at"),
)
CHANGING = ("edit_", "set_", "change_", "rename_", "amend_")
KEYS = ("terms_version", "_ids")  # which count, or list rows by keys that no page shows
WORDS = 6  # of a search; further ones are ignored


def filter_entries(entries: QuerySet[AuditEntry], asked: Mapping[str, Any]) -> QuerySet[AuditEntry]:
    """The entries that pass each filter of `asked` that is not empty; `sort` "oldest" reverses their order.

    Each word of `q` has to be in the name of the action or of its target. `person` is a key, an e-mail address or a
    part of a name, `study` a slug. `since` and `until` are days (UTC, both inclusive).
    """
    for word in str(asked.get("q") or "").replace("_", " ").split()[:WORDS]:
        stored = [name for name, shown in SHOWN.items() if word.casefold() in shown]
        stored += [name for name, said in audit_words.ACTIONS.items() if word.casefold() in gettext(said).casefold()]
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


def own_names(entries: Iterable[AuditEntry]) -> dict[tuple[str, str], str]:
    """The names that things have today, by study and thing, where the log has slugs: a query for each kind of thing."""
    wanted: dict[type[models.Model], set[tuple[str, str]]] = {}
    for entry in entries:
        for thing in _things(entry):
            model = _model_of(thing)
            if model is not None and _name_field(model):
                wanted.setdefault(model, set()).add((entry.study_slug, thing))
    found: dict[tuple[str, str], str] = {}
    for model, things in wanted.items():
        kind, own = str(model._meta.verbose_name), "study__" if hasattr(model, "study") else ""
        slugs = [thing[len(kind) + 1 :] for _, thing in things]
        rows = cast(Any, model)._default_manager.filter(slug__in=slugs)
        for study, slug, name in rows.values_list(f"{own}slug", "slug", _name_field(model)):
            found |= {at: name for at in things if at[1] == f"{kind} {slug}" and (not own or at[0] == study)}
    return found


def _name_field(model: type[models.Model]) -> str:
    """The field with the name of things that have a slug; "" where they have none."""
    fields = {field.name for field in model._meta.concrete_fields}
    return next((name for name in ("name", "title") if {name, "slug"} <= fields), "")


def entry_in_words(entry: AuditEntry, names: Mapping[tuple[str, str], str] | None = None) -> dict[str, Any]:
    """The action, the thing, the arguments and the changes, in the reader's words; `changes` are field by field.

    A thing that `names` (of `own_names`) lacks is told by its slug.

    An argument that is nothing, or that stands among the changes, is left out; so is a field that somebody sent as it
    was, where the action changes what is there.
    """
    model = _model_of(entry.target)
    apart = {name.removesuffix("_id") for name in entry.changes}
    if entry.action.startswith(CHANGING) and model is not None:
        apart |= names_of_columns(model)
    kept = {key: value for key, value in entry.details.items() if value not in NOTHING and key not in apart}
    given = [_field_label(key) + ("" if value is True else f": {_said(model, key, value)}")
             for key, value in kept.items()]  # fmt: skip
    changes = list(field_changes(entry))
    known = audit_words.ACTIONS.get(entry.action)
    return {
        "action": gettext(known) if known else _words(entry.action).capitalize(), "target": _target(entry, names or {}),
        "given": ", ".join(given), "changes": changes,
        "changed": "; ".join(f"{one.name}: {one.before} → {one.after}" if one.told else one.name for one in changes),
    }  # fmt: skip


def field_changes(entry: AuditEntry) -> Iterator[FieldChange]:
    """The fields that the action changed, each with its value before and after where these are kept.

    The moment of the act itself is left out beside what it did: `closed_at` says no more than the row's own time.
    """
    own = {name: values for name, values in entry.changes.items() if not name.endswith((*MOMENTS, *KEYS))}
    model = _model_of(entry.target)
    for name, values in (own or entry.changes).items():
        kind, field = _split(name, model)
        label = _field_label(field)
        if kind is not model and kind is not None:
            label = capfirst(f"{_thing(str(kind._meta.verbose_name))}, {label}")
        if values is None:
            yield FieldChange(label)
        else:
            yield FieldChange(label, True, *(_said(kind, field, value) for value in values))


def export_rows(entries: QuerySet[AuditEntry]) -> Iterator[Sequence[object]]:
    """The entries as rows of cells, their head first; times in ISO 8601, UTC."""
    yield HEAD
    for entry in entries.select_related("person").iterator(chunk_size=BATCH):
        told, who = entry_in_words(entry), entry.person
        name = "" if who is None or who.erased_at else str(who)
        when = entry.at.isoformat(timespec="seconds")
        about = (entry.kind, entry.study_slug, entry.action, entry.target)
        yield when, entry.person_id or "", name, *about, told["given"], told["changed"]


@cache
def _models() -> dict[str, type[models.Model]]:
    """The tables by the names that the log has for their rows."""
    return {str(model._meta.verbose_name): model for model in apps.get_models()}


def _model_of(target: str) -> type[models.Model] | None:
    """The table of a thing such as `human study one-of-two`."""
    return next((_models()[name] for name in _prefixes(target) if name in _models()), None)


def _prefixes(text: str) -> Iterator[str]:
    words = text.split(" ")
    return (" ".join(words[:end]) for end in range(len(words), 0, -1))


def _split(name: str, model: type[models.Model] | None) -> tuple[type[models.Model] | None, str]:
    """The table of a changed field, and the field's name: those of further things have the thing before it."""
    kind = next((one for one in _prefixes(name) if one in _models() and one != name), "")
    return (_models()[kind], name[len(kind) + 1 :]) if kind else (model, name)


def _target(entry: AuditEntry, names: Mapping[tuple[str, str], str]) -> str:
    """The thing of an entry; of a file that was taken out its name and form, without the address's words for them."""
    told = []
    for thing in _things(entry):
        name = names.get((entry.study_slug, thing), "")
        form = thing.startswith(("name ", "form ")) and _is_taken(entry)
        told.append(thing[len("name ") :] if form else _thing(thing, name))
    return ", ".join(told)


def _things(entry: AuditEntry) -> list[str]:
    """The things that the entry names, each by its kind and its slug or key."""
    words = entry.target.split(" ")
    if _is_taken(entry):
        return [" ".join(pair) for pair in zip(words[::2], words[1::2], strict=False)]
    return [entry.target]


def _is_taken(entry: AuditEntry) -> bool:
    return entry.kind == AuditEntry.Kind.EXPORT and entry.action.startswith("take_")


def _thing(target: str, name: str = "") -> str:
    """A thing in the reader's words, with its own name, or its slug as it is."""
    kind = next((one for one in _prefixes(target) if one in audit_words.THINGS), "")
    own = f" {name}" if name else target[len(kind) :]
    return f"{gettext(audit_words.THINGS[kind])}{own}" if kind else target


def _field_label(name: str) -> str:
    """A field or an argument as the pages call it."""
    shown = SHOWN.get(name, name)
    if known := audit_words.FIELDS.get(shown) or audit_words.THINGS.get(shown.replace("_", " ")):
        return capfirst(gettext(known))
    return gettext(label_of_key(shown.removesuffix("_id")))


def _said(model: type[models.Model] | None, name: str, value: Any) -> str:
    """A value as people write it: words of choices, yes and no, days, lists."""
    fields = {field.name: field for field in model._meta.concrete_fields} if model else {}
    choices = dict(getattr(fields.get(name), "flatchoices", ()) or ())
    if value is None or value == "" or value == [] or value == {}:
        return "–"
    if value in (True, False) and isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list):
        return gettext(", ").join(_said(model, name, one) for one in value)
    if isinstance(value, dict):
        return gettext(", ").join(f"{key}: {_said(None, key, one)}" for key, one in value.items())
    if name.endswith("_at") and isinstance(value, str) and (moment := parse_datetime(value)):
        return date_format(timezone.localtime(moment), "SHORT_DATETIME_FORMAT")
    if name in audit_words.ENTRIES and isinstance(value, str):
        return audit_words.ENTRIES[name](value)
    if isinstance(value, str) and value not in choices:  # an argument, whose table may be another one
        return str(_words_of_any_table().get((name, value), value))
    return str(choices.get(value, value))


@cache
def _words_of_any_table() -> dict[tuple[str, str], Any]:
    """The words of a field's value, where all tables with such a field say the same of it."""
    found: dict[tuple[str, str], set[Any]] = {}
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            for value, label in field.flatchoices or ():
                found.setdefault((field.name, str(value)), set()).add(label)
    return {of: next(iter(labels)) for of, labels in found.items() if len(set(map(str, labels))) == 1}


def _words(name: str) -> str:
    return SHOWN.get(name, name).replace("_", " ")


def _is_key(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19
