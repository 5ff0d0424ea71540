"""The audit log: who changed, read or took out what, and when."""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from typing import Any, ParamSpec, TypeVar, cast

import orjson
from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_removed
from django.apps import apps
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models, transaction
from django.db.models import Q, QuerySet
from django.dispatch import Signal, receiver
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext
from psycopg import sql

from accounts import audit_words
from accounts.models import AuditEntry, Person
from accounts.permissions.actions import require_for_action
from foundation.key_labels import label_of_key

# Rows of the audit log for acts that change nothing: sign-ins, downloads, reads of texts under terms, use of tokens.

Kind = AuditEntry.Kind
MOST = 50_000  # of what was noted that a process remembers

# Another process may have noted it already.
ONCE = """
INSERT INTO accounts_auditentry (at, person_id, study_slug, kind, action, target, details, changes, day)
VALUES (now(), %s, %s, %s, %s, %s, '{}', '{}', %s)
ON CONFLICT (person_id, study_slug, action, target, day) WHERE day IS NOT NULL DO NOTHING
"""


def log_event(
    person: Person | None, kind: str, action: str, *, study: str = "", target: str = "", details: Any = None
) -> None:
    """Add a row; `study` is the slug of the study that it is about."""
    AuditEntry.objects.create(
        person=person, kind=kind, action=action, study_slug=study, target=target[:300], details=details or {}
    )


def log_event_daily(person: Person, kind: str, action: str, *, study: str = "", target: str = "") -> None:
    """Add a row unless this day (UTC) has it: for acts that programs and pages do thousands of times.

    A process asks the database for it once; afterwards it is a look into its memory.
    """
    _once(person.pk, kind, action, study, target, timezone.now().date())


@lru_cache(maxsize=MOST)
def _once(person: int, kind: str, action: str, study: str, target: str, day: date) -> None:
    with connection.cursor() as cursor:
        cursor.execute(ONCE, [person, study, kind, action, target, day])


# Sign-ins, failed ones, sign-outs and second steps, as rows of the audit log.
#
# None of them keeps the text that was typed: people type passwords into the wrong field, too.

SIGN_IN, CHANGE = AuditEntry.Kind.SIGN_IN, AuditEntry.Kind.CHANGE


@receiver(user_logged_in, dispatch_uid="accounts.signed_in")
def signed_in(user: Person, **kwargs: Any) -> None:
    log_event(user, SIGN_IN, "sign_in")


@receiver(user_logged_out, dispatch_uid="accounts.signed_out")
def signed_out(user: Person | None, **kwargs: Any) -> None:
    if user is not None:
        log_event(user, SIGN_IN, "sign_out")


@receiver(user_login_failed, dispatch_uid="accounts.not_signed_in")
def not_signed_in(credentials: dict[str, Any], **kwargs: Any) -> None:
    """Add a row for the person whose account was tried, if there is one; nobody knows who tried it."""
    tried = str(credentials.get("email") or "").lower()
    log_event(Person.objects.filter(email=tried).first() if tried else None, SIGN_IN, "sign_in_failed")


@receiver(authentication_failed, dispatch_uid="accounts.wrong_code")
def wrong_code(user: Person, **kwargs: Any) -> None:
    log_event(user, SIGN_IN, "second_step_failed")


@receiver(authenticator_added, dispatch_uid="accounts.second_step_added")
def second_step_added(user: Person, authenticator: Any, **kwargs: Any) -> None:
    log_event(user, CHANGE, "add_second_step", target=f"person {user.pk}", details={"type": str(authenticator.type)})


@receiver(authenticator_removed, dispatch_uid="accounts.second_step_removed")
def second_step_removed(user: Person, authenticator: Any, **kwargs: Any) -> None:
    log_event(user, CHANGE, "drop_second_step", target=f"person {user.pk}", details={"type": str(authenticator.type)})


# Names under which the audit log stores actions and arguments that were renamed since, so that one act has one name.
#
# Old rows, and programs that read the log through the API, know the stored names; pages show the names of today.

# Name of today -> stored name.
ACTIONS = {
    "open_recruitment_link": "open_entrance",
    "set_recruitment_link_state": "set_entrance_state",
    "release_crowd_participant": "release_entrant",
    "review_answer": "decide",
    "pause_annotator": "pause_worker",
    "resume_annotator": "resume_worker",
    "settle_annotator": "settle_worker",
}
ARGUMENTS = {"recruitment_link": "entrance", "participant": "entrant"}
SHOWN = {stored: name for name, stored in (ACTIONS | ARGUMENTS).items()}

# The audit log: who changed what, and when.
#
# An action that writes stands under `@audited`. It leaves one row in the same transaction, so there is no change
# without its row. Texts, comments and secrets stay out of it: a row names things, and does not repeat them. It
# tells the changes of the rows that the action was given, before and after. `noting.py` notes what changes nothing.

LONGEST = 200  # characters of a value; what is longer is a text
UNTOLD = frozenset(
    {"password", "digest", "secret", "code", "browser", "external_id", "session_id", "email", "reason", "url"}
)
OF_PEOPLE = frozenset({"name", "languages", "topics", "interface_language"})  # what somebody says of themselves
TOLD_JSON = frozenset(
    {
        *(
            "pay",
            "eligibility",
            "checks",
            "settings",
            "costs",
            "poles",
            "controls",
            "exclusions",
            "comparison",
            "excluded",
        ),
        "style_descriptions",
    }
)
Row = dict[str, Any]


def snapshot_rows(objects: Iterable[models.Model]) -> dict[models.Model, Row]:
    """The fields of each object that the log compares, as the database has them; {} where it has no row."""
    return {one: _row(one) for one in objects if one.pk is not None}


def changes_since(before: Mapping[models.Model, Row]) -> dict[str, Any]:
    """[before, after] by field, for fields that are different now; None where the values are not told.

    The fields of the first object go by their own names, those of the others with their kind before it.
    """
    found: dict[str, Any] = {}
    for number, (one, old) in enumerate(before.items()):
        new = _row(one) if old else {}
        prefix = f"{one._meta.verbose_name} " if number else ""
        found |= {f"{prefix}{name}": _told(one, name, old[name], new[name]) for name in new if old[name] != new[name]}
    return found


def _row(one: models.Model) -> Row:
    statement, fields = _reading(one._meta.model)
    with connection.cursor() as cursor:
        cursor.execute(statement, [one.pk])
        row = cursor.fetchone()
    return {} if row is None else {field.attname: _read(field, value) for field, value in zip(fields, row, strict=True)}


@cache
def _reading(model: type[models.Model]) -> "tuple[sql.Composed, list[models.Field[Any, Any]]]":
    """The statement for a row of the model by its key, and the fields in it.

    It is kept, since every action asks twice: Django writes it anew each time, with 1,700 calls of functions.
    """
    fields = [field for field in model._meta.concrete_fields if _looked_at(field)]
    columns = sql.SQL(", ").join([sql.Identifier(str(field.column)) for field in fields])
    table, key = sql.Identifier(model._meta.db_table), sql.Identifier(str(model._meta.pk.column))
    return sql.SQL("SELECT {} FROM {} WHERE {} = %s").format(columns, table, key), fields


def _read(field: "models.Field[Any, Any]", value: Any) -> Any:
    for convert in field.get_db_converters(connection):
        value = convert(value, None, connection)
    return value


def _looked_at(field: "models.Field[Any, Any]") -> bool:
    if isinstance(field, models.JSONField):
        return field.name in TOLD_JSON
    return not (field.primary_key or isinstance(field, models.BinaryField))


def _told(one: models.Model, name: str, old: Any, new: Any) -> list[Any] | None:
    field = one._meta.get_field(name.removesuffix("_id") if name not in _names(one) else name)
    text = isinstance(field, models.TextField)
    if name in UNTOLD or text or (isinstance(one, Person) and name in OF_PEOPLE):
        return None
    values = [_value(field, value) for value in (old, new)]
    return None if any(value is Ellipsis for value in values) else values


def _names(one: models.Model | type[models.Model]) -> set[str]:
    return {field.name for field in one._meta.concrete_fields}


def _value(field: Any, value: Any) -> Any:
    """The value as JSON has it; Ellipsis where it is not told."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(field, models.JSONField | ArrayField):
        return value if len(orjson.dumps(value)) <= LONGEST and b"@" not in orjson.dumps(value) else Ellipsis
    said = str(value)
    return said if len(said) <= LONGEST and "@" not in said and "\n" not in said else Ellipsis


WAYS = ("study", "campaign", "direction", "system", "answer", "document", "release", "set", "item", "recruitment_link")
SILENT = frozenset(
    {
        "access_token",
        "by",
        "comment",
        "consent",
        "content",
        "data",
        "description",
        "form",
        "guideline",
        "notes",
        "password",
        "reason",
        "reply",
        "secret",
        "terms",
        "text",
        "evidence",
        "token",
        "url",
    }
)
P = ParamSpec("P")
R = TypeVar("R")
_acting: ContextVar[Person | None] = ContextVar("acting", default=None)
_within: ContextVar[bool] = ContextVar("within", default=False)  # another recorded action


# Sent in the transaction of each recorded action, behind it: its name as `sender`, its row in the log as `entry`, its
# arguments as `given`, and its `result`.
acted = Signal()

# Asked before each recorded action, with its name and the study that it is about, if any; they raise to refuse it.
GUARDS: list[Callable[[str, Any], object]] = []


def set_acting_person(person: Any) -> None:
    """Say who acts in this request; a person that is not signed in is nobody."""
    _acting.set(person if isinstance(person, Person) else None)


def audited_as(kind: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """As `audited`, for an action that is of another kind than a change."""

    def decorate(action: Callable[P, R]) -> Callable[P, R]:
        name = action.__name__
        signature = inspect.signature(action)
        rest = next((one.name for one in signature.parameters.values() if one.kind == one.VAR_KEYWORD), "")

        @functools.wraps(action)
        def act(*args: P.args, **kwargs: P.kwargs) -> R:
            with transaction.atomic():
                given = signature.bind(*args, **kwargs).arguments
                named = _named(given)  # what is removed has no name afterwards
                before = snapshot_rows(_objects(given))
                study = _study_in(given)
                if not _within.get():  # what an action does on its way is its own affair
                    require_for_action(name, _actor(given), study or _study_named(named[0]))
                for guard in GUARDS:
                    guard(name, study)
                outer = _within.set(True)
                try:
                    result = action(*args, **kwargs)
                finally:
                    _within.reset(outer)
                entry = _write(kind, name, given | given.pop(rest, {}), named, before, result)
                acted.send(sender=name, entry=entry, given=given, result=result)
            return result

        return act

    return decorate


def audited(action: Callable[P, R]) -> Callable[P, R]:
    """The action, which leaves a row in the audit log each time it ends well."""
    return audited_as(AuditEntry.Kind.CHANGE)(action)


def _actor(given: dict[str, Any]) -> Person | None:
    by = given.get("by")
    return by if isinstance(by, Person) else _acting.get()


def _objects(given: dict[str, Any]) -> list[models.Model]:
    """The objects that the action was given to act on, studies last; the row names the first."""
    found = [value for key, value in given.items() if isinstance(value, models.Model) and key != "by"]
    return sorted(found, key=lambda one: one._meta.label_lower == "corpora.study")


def _write(
    kind: str, name: str, given: dict[str, Any], named: tuple[str, str], before: dict[models.Model, Row], result: Any
) -> AuditEntry:
    study, target = named
    made = result[0] if isinstance(result, tuple) and result else result
    if isinstance(made, models.Model):
        study = study or study_of(made)
        target = target or _label(made)
    return AuditEntry.objects.create(
        person=_actor(given),
        study_slug=study,
        kind=kind,
        action=ACTIONS.get(name, name),
        target=target[:300],
        details=_details(given),
        changes=changes_since(before),
    )


def _details(given: dict[str, Any]) -> dict[str, Any]:
    """The action's arguments under short names, without the `name` that somebody gives themselves: it is private."""
    personal = {"name"} if "person" in given or "secret" in given else set()
    shown = {key: _shown(key, value) for key, value in given.items() if key not in personal}
    return {ARGUMENTS.get(key, key): value for key, value in shown.items() if value is not None}


def _named(given: dict[str, Any]) -> tuple[str, str]:
    """The study's slug, and the object of the first argument that is not the study itself."""
    objects = [value for key, value in given.items() if isinstance(value, models.Model) and key != "by"]
    study = next((slug for one in objects if (slug := study_of(one))), "")
    others = [one for one in objects if one._meta.label_lower != "corpora.study"] or objects
    return study, _label(others[0]) if others else ""


def study_of(one: Any) -> str:
    """The slug of the study that an object belongs to; "" where it belongs to none."""
    if one._meta.label_lower == "corpora.study":
        return one.slug
    if hasattr(one, "study_slug"):
        return one.study_slug
    for way in WAYS:
        if any(field.name == way for field in one._meta.fields) and (parent := getattr(one, way)) is not None:
            return study_of(parent)
    return ""


def _study_in(given: dict[str, Any]) -> Any:
    """The study among the action's arguments, or the study to which one of them belongs."""
    objects = [value for key, value in given.items() if isinstance(value, models.Model) and key != "by"]
    return next((study for one in objects if (study := _study_behind(one)) is not None), None)


def _study_named(slug: str) -> Any:
    """The study that a thing names by its slug alone, as a job does; None without one."""
    return apps.get_model("corpora.Study").objects.filter(slug=slug).first() if slug else None


def _study_behind(one: Any) -> Any:
    if one._meta.label_lower == "corpora.study":
        return one
    names = {field.name for field in one._meta.fields}
    parents = (getattr(one, way) for way in WAYS if way in names)
    return next((_study_behind(parent) for parent in parents if parent is not None), None)


def _label(one: models.Model) -> str:
    """Its kind and its name or key; a person is known by the key alone, so that erasing them leaves no name here."""
    named = "" if isinstance(one, Person) else getattr(one, "slug", "") or getattr(one, "name", "")
    kind = one._meta.verbose_name
    return f"{kind} {named}" if named else f"{kind} {one.pk}"


def _shown(key: str, value: Any) -> Any:
    if key in SILENT or isinstance(value, models.Model) or value is None or value == "":
        return None
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return str(value) if len(value) <= LONGEST and "@" not in value and "\n" not in value else None
    if isinstance(value, list | tuple | set | frozenset | dict):
        return f"{len(value)}"
    return None


# Looking through the audit log: filters, its rows in words, and its download as a table.

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
        apart |= _names(model)
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


OF_FEW_WORDS = {"verdict"}


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
    if name in OF_FEW_WORDS and value not in choices:  # an argument, whose table is another one
        return gettext(label_of_key(str(value)))
    return str(choices.get(value, value))


def _words(name: str) -> str:
    return SHOWN.get(name, name).replace("_", " ")


def _is_key(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19
