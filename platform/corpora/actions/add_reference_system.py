from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.add_system import new_system
from corpora.actions.lock_study import lock_study
from corpora.database import copy_rows
from corpora.models import Output, Reference, Sentence, Study, System
from corpora.texts.columns import plain
from foundation.errors import UserError


@audited
@transaction.atomic
def add_reference_system(*, study: Study, name: str, number: int = 1, by: Any = None) -> System:
    """Add people's rewrites as a system: each direction's set of references of that place, from 1, of the test split.

    Tables of papers have such a row ("Gold"). Full forms in brackets are left out, as metrics read references.
    """
    lock_study(study)
    sets = [
        list(direction.reference_sets.order_by("number"))[number - 1 : number] for direction in study.directions.all()
    ]
    rows = Reference.objects.filter(
        set__in=[one for found in sets for one in found], sentence__split=Sentence.Split.TEST
    ).values_list("sentence_id", "text", "set__marks")
    texts = {sentence: plain(text, marks) for sentence, text, marks in rows}
    if not any(texts.values()):
        raise UserError("No text of the test split has a reference {number}.", number=number, where="references")
    system = new_system(
        study=study, name=name, origin=f"references {number}", is_human=True, allows_missing=True, by=by
    )  # fmt: skip
    copy_rows(Output, ["system", "sentence", "text"], ((system.pk, pk, text) for pk, text in texts.items()))
    return system
