from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.database import copy_rows
from corpora.fields import SystemFields
from corpora.models import Direction, Output, Study, System
from foundation.errors import UserError, first_five
from foundation.options import check_given, option_named


@audited
@transaction.atomic
def add_system(
    *,
    study: Study,
    name: str,
    outputs: Mapping[Direction, Sequence[str | None]],
    origin: str,
    is_human: bool = False,
    allows_missing: bool = False,
    family: str = "",
    seed: int | None = None,
    options: Mapping[str, float | str] | None = None,
    by: Any = None,
) -> System:
    """Add a system with its outputs: for each direction one text, or None, a sentence in order.

    None is no output; an empty text is one: the system wrote nothing.

    Systems of one `family` are one model with several seeds or several `options`.
    """
    options = option_named(SystemFields, "options").check(options or {})
    lock_study(study)
    system = new_system(
        study=study, name=name, origin=origin, is_human=is_human, allows_missing=allows_missing, family=family,
        seed=seed, options=options, by=by,
    )  # fmt: skip
    for direction, texts in outputs.items():
        _add(system, direction, texts)
    return system


def new_system(
    *,
    study: Study,
    name: str,
    origin: str,
    is_human: bool = False,
    allows_missing: bool = False,
    family: str = "",
    seed: int | None = None,
    options: Mapping[str, float | str] | None = None,
    by: Any = None,
) -> System:
    """The row of a system that has no outputs yet; within a transaction."""
    given = check_given(SystemFields, {"name": name, "family": family, "seed": seed})
    if study.systems.filter(name=given["name"]).exists():
        raise UserError("The study has a system '{name}' already.", name=given["name"], where="name")
    number = (study.systems.aggregate(last=Max("number"))["last"] or 0) + 1
    return System.objects.create(
        study=study, number=number, is_human=is_human, allows_missing=allows_missing, origin=origin[:200],
        options=dict(options or {}), made_by=by, **given,
    )  # fmt: skip


def _add(system: System, direction: Direction, texts: Sequence[str | None]) -> None:
    sentences = list(direction.sentences.order_by("number").values_list("pk", "number"))
    where = f"{system.name}, {direction}"
    if len(texts) != len(sentences):
        raise UserError(
            "There are {texts_count} outputs for {sentences_count} sources.",
            texts_count=len(texts),
            sentences_count=len(sentences),
            where=where,
        )
    missing = [number for (_, number), text in zip(sentences, texts, strict=True) if text is None]
    if missing and not system.allows_missing:
        raise UserError("There is no output for the sources {missing}.", missing=first_five(missing), where=where)
    rows = ((system.pk, pk, text) for (pk, _), text in zip(sentences, texts, strict=True) if text is not None)
    copy_rows(Output, ["system", "sentence", "text"], rows)
