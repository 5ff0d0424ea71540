"""The audit log: who changed, read or took out what, and when."""

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from datetime import date, datetime
from functools import cache, lru_cache
from typing import Any, ParamSpec, TypeVar

import orjson
from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_removed
from django.apps import apps
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models, transaction
from django.dispatch import Signal, receiver
from django.utils import timezone
from psycopg import sql

from accounts.models import AuditEntry, Person
from accounts.permissions.actions import require_for_action

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
    field = one._meta.get_field(name.removesuffix("_id") if name not in names_of_columns(one) else name)
    text = isinstance(field, models.TextField)
    if name in UNTOLD or text or (isinstance(one, Person) and name in OF_PEOPLE):
        return None
    values = [_value(field, value) for value in (old, new)]
    return None if any(value is Ellipsis for value in values) else values


def names_of_columns(one: models.Model | type[models.Model]) -> set[str]:
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
