"""Items whose rejected answer nobody will change any more, since its author is gone, are free for somebody else."""

from typing import Any

from django.db.models import Exists, OuterRef

from annotation.models import Answer, Assignment
from annotation.review.answer_filter import newest_verdict
from annotation.review.verdicts import Verdict


def reopen_rejected(person: int, study: int | None = None) -> None:
    """Free what the person filled with an answer that was rejected and not changed since, in one study or in all."""
    newer = Answer.objects.filter(
        item=OuterRef("item"), person=person, pilot=OuterRef("pilot"), revision__gt=OuterRef("revision"), late=False
    )
    theirs: Any = {"person": person} if study is None else {"person": person, "campaign__study": study}
    own = Answer.objects.filter(**theirs, outcome=Answer.Outcome.ANSWERED, late=False)
    rejected = own.annotate(verdict=newest_verdict()).filter(~Exists(newer), verdict=Verdict.REJECTED)
    Assignment.objects.filter(
        pk__in=list(rejected.values_list("assignment", flat=True)), annotator=person, state=Assignment.State.DONE
    ).update(state=Assignment.State.FREE, annotator=None, lease=None)
