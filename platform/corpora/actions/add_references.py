from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.database import copy_rows
from corpora.models import Direction, Reference, ReferenceSet
from foundation.errors import UserError


@audited
@transaction.atomic
def add_references(
    *, direction: Direction, texts: Sequence[str | None], origin: str, marks: str = "", keep_empty: bool = False
) -> ReferenceSet:
    """Add a set of references: one text, or None, for each sentence of the direction in its order.

    With the `marks` "brackets" the full forms of terms stand in square brackets in them. With `keep_empty` an empty
    text is a reference too: its words stand at another sentence of its document.
    """
    if marks not in ReferenceSet.Marks.values:
        raise UserError("There is no kind of marks '{marks}'; the only kind is 'brackets'.", marks=marks, where="marks")
    lock_study(direction.study)
    ids = list(direction.sentences.order_by("number").values_list("pk", flat=True))
    if len(texts) != len(ids):
        raise UserError(
            "There are {texts_count} references for {ids_count} sources of {direction}.",
            texts_count=len(texts),
            ids_count=len(ids),
            direction=direction,
            where=origin,
        )
    if not any(texts):
        raise UserError("The file has no reference.", where=origin)
    last = direction.reference_sets.aggregate(last=Max("number"))["last"]
    number = 0 if last is None else last + 1
    made = ReferenceSet.objects.create(direction=direction, number=number, origin=origin[:200], marks=marks)
    rows = ((made.pk, pk, text) for pk, text in zip(ids, texts, strict=True) if text or (keep_empty and text == ""))
    copy_rows(Reference, ["set", "sentence", "text"], rows)
    return made
