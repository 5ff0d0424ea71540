from collections.abc import Sequence
from typing import Any

from django.db import transaction

from accounts.audit import audited
from foundation.errors import UserError
from modelserving.models import TrainingRun

LONGEST_NOTES, LONGEST_TAG, MOST_TAGS = 10_000, 30, 12


@audited
@transaction.atomic
def describe_training(*, run: TrainingRun, notes: str, tags: Sequence[str], by: Any = None) -> TrainingRun:
    """Keep the researchers' notes of a training, as plain text, and the tags that they find it by."""
    kept = list(dict.fromkeys(tag for given in tags if (tag := " ".join(given.split()))))
    if len(notes) > LONGEST_NOTES or "\0" in notes:
        raise UserError(
            "Notes are text of at most {longest_notes:,} characters.", longest_notes=LONGEST_NOTES, where="notes"
        )
    if len(kept) > MOST_TAGS:
        raise UserError("A training has at most {most_tags} tags.", most_tags=MOST_TAGS, where="tags")
    for tag in kept:
        if len(tag) > LONGEST_TAG or "," in tag or "\0" in tag:
            raise UserError(
                "A tag has at most {longest_tag} characters, and no comma.", longest_tag=LONGEST_TAG, where="tags"
            )
    run.notes, run.tags = notes.strip(), kept
    run.save(update_fields=["notes", "tags"])
    return run


def tags_of(text: str) -> list[str]:
    """The typed tags, which commas separate."""
    return text.split(",")
