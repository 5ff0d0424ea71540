"""Why a system or a set of references must stay: judgements, campaigns and runs that stand on it."""

from collections.abc import Iterable
from typing import Any

from django.dispatch import receiver

from annotation.models import Item
from corpora.models import Reference, ReferenceSet, System
from corpora.signals import leaving
from evaluation.models import Judgement, MetricRun
from foundation.errors import UserError
from foundation.text import text_key
from jobs.models import Job
from modelserving.models import TransferRun

RUNNING = [Job.State.QUEUED, Job.State.RUNNING]


@receiver(leaving, sender=System, dispatch_uid="config.keep_system")
def keep_system(what: System, **kwargs: Any) -> None:
    """Raise UserError while a run fills or scores the system, or where its outputs were judged or are to be judged."""
    if TransferRun.objects.filter(system=what, job__state__in=RUNNING).exists():
        raise UserError(f"The run that makes the outputs of {what} is not over; cancel it first.")
    if MetricRun.objects.filter(study=what.study_id, job__state__in=RUNNING).exists():
        raise UserError(f"The report is being worked out with {what}; wait for it, or cancel its job first.")
    keys = {(pk, text_key(text)) for pk, text in what.outputs.values_list("sentence_id", "text")}
    judged = Judgement.objects.filter(ratings_import__study=what.study_id).values_list("sentence_id", "text_key")
    if not keys.isdisjoint(judged.distinct()):
        raise UserError(f"Outputs of {what} were judged; it stays.")
    campaign = _campaign_with(what.study_id, keys, "candidates")
    if campaign:
        raise UserError(f"The campaign {campaign} asks about outputs of {what}; it stays.")


@receiver(leaving, sender=ReferenceSet, dispatch_uid="config.keep_references")
def keep_references(what: ReferenceSet, **kwargs: Any) -> None:
    """Raise UserError where a campaign shows the references or has them judged."""
    rows = Reference.objects.filter(set=what).values_list("sentence_id", "text")
    campaign = _campaign_with(
        what.direction.study_id, {(pk, text_key(text)) for pk, text in rows}, "candidates", "references"
    )
    if campaign:
        raise UserError(f"The campaign {campaign} shows these references; they stay.")


def _campaign_with(study: int, keys: set[tuple[int, str]], *parts: str) -> str | None:
    """The name of a campaign whose items hold one of these (sentence, text) in one of their `parts`."""
    items = Item.objects.filter(campaign__study=study).exclude(campaign__task_type="rewrite")
    for sentence, content, name in items.values_list("sentence_id", "content", "campaign__name").iterator():
        if any((sentence, text_key(text)) in keys for text in _texts(content, parts)):
            return str(name)
    return None


def _texts(content: dict[str, Any], parts: Iterable[str]) -> Iterable[str]:
    for part in parts:
        yield from (text for text in content.get(part, []) if isinstance(text, str))
