"""The rows that a removal takes along, and those that forbid it."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q, Sum
from django.dispatch import receiver

from annotation.models import Answer, Campaign, CampaignMembership, Item, Release
from corpora.models import Direction, Reference, ReferenceSet, Removal, Sentence, Study, System
from corpora.trash import before_removal, collect_dependents
from evaluation.models import HumanStudy, Judgement, MetricRun, Report
from foundation.errors import UserError
from foundation.text_keys import text_key
from jobs.models import UNFINISHED
from modelserving.models import TransferRun
from studies.progress import counts_of

CONTENTS = (
    "directions", "sentences", "references", "systems", "outputs", "campaigns", "judgements", "documents", "answers",
    "people", "human_studies", "trainings", "checkpoints", "checkpoint_bytes", "members", "releases",
)  # fmt: skip


def contents_of(study: Study) -> dict[str, int]:
    """How many of each thing would go with the study; `releases` keep it from being deleted."""
    counts = counts_of(study)
    shown = ("directions", "sentences", "references", "systems", "outputs", "campaigns", "judgements")
    return {
        **{name: counts[name] for name in shown},
        "documents": study.documents.count(),
        "answers": Answer.objects.filter(campaign__study=study).count(),
        "people": CampaignMembership.objects.filter(campaign__study=study, campaign__machine_of=None)
        .values("person")
        .distinct()
        .count(),
        "human_studies": study.human_studies.count(),
        "trainings": study.trainings.count(),
        "checkpoints": study.checkpoints.count(),
        "checkpoint_bytes": study.checkpoints.aggregate(all=Sum("size"))["all"] or 0,
        "members": study.memberships.count(),
        "releases": Release.objects.filter(study=study).count(),
    }


# Reasons to keep a part of a study: judgements, campaigns and runs that use it; and the rows that go with it.


@receiver(before_removal, sender=System, dispatch_uid="config.keep_system")
def keep_system(what: System, **kwargs: Any) -> None:
    """Raise UserError while a run fills or scores the system, or where its outputs were judged or are to be judged."""
    if TransferRun.objects.filter(system=what, job__state__in=UNFINISHED).exists():
        raise UserError("The run that makes the outputs of {what} is still running; cancel it first.", what=what)
    if MetricRun.objects.filter(study=what.study_id, job__state__in=UNFINISHED).exists():
        raise UserError("A running report uses {what}; wait for it, or cancel its job first.", what=what)
    keys = {(pk, text_key(text)) for pk, text in what.outputs.values_list("sentence_id", "text")}
    judged = Judgement.objects.filter(ratings_import__study=what.study_id).values_list("sentence_id", "text_key")
    # Judgements that were imported long ago have keys in small letters: what may have been judged stays.
    folded = {(pk, key.casefold()) for pk, key in judged.distinct()}
    if what.judgements.exists() or any((pk, key.casefold()) in folded for pk, key in keys):
        raise UserError("{what} cannot be removed: its outputs were judged.", what=what)
    campaign = _campaign_with(what.study_id, keys, "candidates")
    if campaign:
        raise UserError(
            "{what} cannot be removed: the campaign {campaign} asks about its outputs.", campaign=campaign, what=what
        )


@receiver(before_removal, sender=ReferenceSet, dispatch_uid="config.keep_references")
def keep_references(what: ReferenceSet, **kwargs: Any) -> None:
    """Raise UserError where a campaign shows the references or has them judged."""
    rows = Reference.objects.filter(set=what).values_list("sentence_id", "text")
    campaign = _campaign_with(
        what.direction.study_id, {(pk, text_key(text)) for pk, text in rows}, "candidates", "references"
    )
    if campaign:
        raise UserError("These references cannot be removed: the campaign {campaign} shows them.", campaign=campaign)


@receiver(before_removal, sender=Campaign, dispatch_uid="config.keep_campaign")
def keep_campaign(what: Campaign, **kwargs: Any) -> None:
    """Raise UserError where a human study is run with it."""
    human = what.human_studies.exclude(state=HumanStudy.State.DRAFT).first()
    if human is not None:
        raise UserError("This campaign cannot be removed: it belongs to the human study {human}.", human=human)


@receiver(collect_dependents, dispatch_uid="config.keep_study")
def keep_study(study: Study, kind: str, **kwargs: Any) -> None:
    """Raise UserError where a whole study would go that has a release, or in which people are being asked."""
    if kind != Removal.Kind.STUDY:
        return
    if study.releases.exists():
        raise UserError("This study has a release, and releases stay; archive the study instead.")
    human = study.human_studies.filter(state=HumanStudy.State.OPEN).first()
    if human is not None:
        raise UserError("The human study {human} is open; close it first.", human=human)


@receiver(collect_dependents, dispatch_uid="config.keep_sources")
def keep_sources(rows: dict[type, list[int]], **kwargs: Any) -> None:
    """Raise UserError where a campaign or a human study asks about sources that would go."""
    directions = rows.get(Direction, [])
    keys = rows.get(Sentence, [])
    about = Q(sentence__in=keys) | Q(sentence__direction__in=directions)
    item = Item.objects.filter(about).select_related("campaign").first() if keys or directions else None
    campaign = item.campaign if item else Campaign.objects.filter(direction__in=directions).first()
    if campaign is not None:
        raise UserError("The campaign {campaign} asks about these texts; remove it first.", campaign=campaign)
    human = HumanStudy.objects.filter(direction__in=directions).first()
    if human is not None:
        raise UserError("The human study {human} asks about this direction; remove it first.", human=human)


CHANGES_REPORT = {
    Removal.Kind.DIRECTION, Removal.Kind.SOURCES, Removal.Kind.REFERENCES, Removal.Kind.SYSTEM, Removal.Kind.RATINGS,
    Removal.Kind.SCORES, Removal.Kind.CAMPAIGN,
}  # fmt: skip


@receiver(collect_dependents, dispatch_uid="config.report_goes_along")
def report_goes_along(study: Study, kind: str, rows: dict[type, list[int]], **kwargs: Any) -> dict[type, list[int]]:
    """Remove the stored report with the rows that it is about; it comes back with them."""
    if kind not in CHANGES_REPORT:
        return {}
    if kind == Removal.Kind.CAMPAIGN and not Answer.objects.filter(campaign__in=rows[Campaign]).exists():
        return {}
    return {Report: list(Report.objects.filter(study=study).values_list("pk", flat=True))}


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
