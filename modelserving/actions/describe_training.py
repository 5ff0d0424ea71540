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
    """The fields that `describe_training` takes."""

    notes: str = option("", "Plain text.", label="Notes", characters=10_000, lines=True, clean=str.strip)
    tags: tuple[str, ...] = option((), "With commas between them.", label="Tags", characters=30, high=12, clean=_listed)


@audited
@transaction.atomic
def describe_training(*, run: TrainingRun, notes: str, tags: Sequence[str], by: Any = None) -> TrainingRun:
    """Keep the researchers' notes of a training, as plain text, and the tags that they find it by."""
    given = validate_options(NotesFields, {"notes": notes, "tags": tags})
    run.notes, run.tags = given.notes, list(given.tags)
    run.save(update_fields=["notes", "tags"])
    return run
