"""The audit log: who changed what, and when.

An action that writes stands under `@audited`. It leaves one row in the same transaction, so there is no change
without its row. Texts, comments and secrets stay out of it: a row names things, and does not repeat them. Of the rows
that the action was given it tells what changed in them, before and after. What changes nothing is noted by `noting.py`.
"""

import functools
import inspect
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

from django.db import models, transaction

from accounts.audit import stored_names
from accounts.audit.field_changes import LONGEST, Row, changes_since, snapshot_rows
from accounts.models import Person, TrailEntry

WAYS = ("study", "campaign", "direction", "system", "answer", "document", "release", "set", "item", "recruitment_link")
SILENT = frozenset(
    {
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
    }
)
P = ParamSpec("P")
R = TypeVar("R")
_acting: ContextVar[Person | None] = ContextVar("acting", default=None)


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

        @functools.wraps(action)
        def act(*args: P.args, **kwargs: P.kwargs) -> R:
            with transaction.atomic():
                given = signature.bind(*args, **kwargs).arguments
                named = _named(given)  # what is removed has no name afterwards
                before = snapshot_rows(_objects(given))
                for guard in GUARDS:
                    guard(name, _study_in(given))
                result = action(*args, **kwargs)
                _write(kind, name, given, named, before, result)
            return result

        return act

    return decorate


def audited(action: Callable[P, R]) -> Callable[P, R]:
    """The action, which leaves a row in the trail each time it ends well."""
    return audited_as(TrailEntry.Kind.CHANGE)(action)


def _objects(given: dict[str, Any]) -> list[models.Model]:
    """What the action was given to act on; of these the one that the row names stands first."""
    found = [value for key, value in given.items() if isinstance(value, models.Model) and key != "by"]
    return sorted(found, key=lambda one: one._meta.label_lower == "corpora.study")


def _write(
    kind: str, name: str, given: dict[str, Any], named: tuple[str, str], before: dict[models.Model, Row], result: Any
) -> None:
    by = given.get("by")
    study, target = named
    made = result[0] if isinstance(result, tuple) and result else result
    if isinstance(made, models.Model):
        study = study or study_of(made)
        target = target or _label(made)
    TrailEntry.objects.create(
        person=by if isinstance(by, Person) else _acting.get(),
        study_slug=study,
        kind=kind,
        action=stored_names.ACTIONS.get(name, name),
        target=target[:300],
        details=_details(given),
        changes=changes_since(before),
    )


def _details(given: dict[str, Any]) -> dict[str, Any]:
    """What the action was given, named shortly. The `name` that somebody gives themselves is theirs, and stays out."""
    personal = {"name"} if "person" in given or "secret" in given else set()
    shown = {key: _shown(key, value) for key, value in given.items() if key not in personal}
    return {stored_names.ARGUMENTS.get(key, key): value for key, value in shown.items() if value is not None}


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
    """The study itself that the action was given, or that what it was given belongs to."""
    objects = [value for key, value in given.items() if isinstance(value, models.Model) and key != "by"]
    return next((study for one in objects if (study := _study_behind(one)) is not None), None)


def _study_behind(one: Any) -> Any:
    if one._meta.label_lower == "corpora.study":
        return one
    names = {field.name for field in one._meta.fields}
    parents = (getattr(one, way) for way in WAYS if way in names)
    return next((_study_behind(parent) for parent in parents if parent is not None), None)


def _label(one: models.Model) -> str:
    """What it is and its key; a person is known by the key alone, so that erasing them leaves no name here."""
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
