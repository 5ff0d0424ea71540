from collections.abc import Sequence
from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Direction, Removal, Sentence
from corpora.texts.number_ranges import format_ranges
from corpora.trash import move_to_trash
from foundation.errors import UserError, first_five


@audited
@transaction.atomic
def remove_sources(*, direction: Direction, numbers: Sequence[int], by: Any = None) -> Removal:
    """Take sources out of a direction by their numbers, with their references, outputs and judgements.

    A UserError where a campaign asks about one of them. The others keep their numbers.
    """
    study = direction.study
    lock_study(study)
    there = dict(direction.sentences.filter(number__in=list(numbers)).values_list("number", "pk"))
    if lacking := [number for number in numbers if number not in there]:
        raise UserError(
            "{direction} has no source {lacking}.", direction=direction, lacking=first_five(lacking), where="numbers"
        )
    if not there:
        raise UserError("Name the sources to remove by their numbers.", where="numbers")
    name = f"{direction} {format_ranges(sorted(there))}"
    return move_to_trash(
        study=study, kind=Removal.Kind.SOURCES, name=name, rows={Sentence: list(there.values())}, by=by
    )
