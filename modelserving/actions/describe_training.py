from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from accounts.audit import audited
from foundation.errors import UserError
from foundation.options import option, validate_options
from modelserving.models import TrainingRun


def _listed(tags: Iterable[str]) -> list[str]:
    """Each tag once, in order; commas separate them where they are typed."""
    kept = list(dict.fromkeys(tag for given in tags if (tag := " ".join(given.split()))))
    if any("," in tag for tag in kept):
        raise UserError("A tag has no comma.", where="tags")
    return kept


@dataclass(frozen=True)
class NotesFields:
    """The fields that `describe_training` takes; without a name the training keeps its own."""

    name: str = option("", "The name of the training.", label="Name", characters=100, clean=str.strip)
    notes: str = option("", "Plain text.", label="Notes", characters=10_000, lines=True, clean=str.strip)
    tags: tuple[str, ...] = option((), "With commas between them.", label="Tags", characters=30, high=12, clean=_listed)


@audited
@transaction.atomic
def describe_training(
    *, run: TrainingRun, notes: str, tags: Sequence[str], name: str = "", by: Any = None
) -> TrainingRun:
    """Keep the researchers' notes of a training, as plain text, the tags that they find it by, and its name."""
    given = validate_options(NotesFields, {"notes": notes, "tags": tags, "name": name})
    run.notes, run.tags, run.name = given.notes, list(given.tags), given.name or run.name
    if run.study.trainings.filter(name=run.name).exclude(pk=run.pk).exists():
        raise UserError("The study has a training '{name}' already.", name=run.name, where="name")
    run.save(update_fields=["notes", "tags", "name"])
    return run
