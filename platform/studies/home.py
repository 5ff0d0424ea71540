"""The studies on a person's first page: the things that need them, the progress of each study, and the search."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.permissions import Can
from annotation.models import Assignment, Campaign
from annotation.progress.counts import waiting_in_all
from corpora.models import Document, Study, System
from evaluation.report_freshness import unread_reports
from jobs.models import Job
from jobs.titles import title_for_reader

# Things in a person's studies that need them: failed jobs, answers that wait for a review, reports that are new.

FAILED_WITHIN = timedelta(days=7)


@dataclass(frozen=True)
class Attention:
    """One line: the study, the thing that waits, and the page to deal with it. `kind` is review, job or report."""

    study: Study
    kind: str
    text: str
    url: str


def attention_of(person: Any, studies: Sequence[Study], session: Any) -> list[Attention]:
    """The lines in the order of the studies. Four queries, however many studies."""
    found = {
        "review": _reviews(person, studies), "job": _failed_jobs(person, studies),
        "report": _reports(person, studies, session),
    }  # fmt: skip
    return [
        Attention(study, kind, text, url)
        for study in studies
        for kind, lines in found.items()
        if study.pk in lines
        for text, url in [lines[study.pk]]
    ]


def _reviews(person: Any, studies: Sequence[Study]) -> dict[int, tuple[str, str]]:
    own = [study for study in studies if study.can(person, Can.REVIEW)]
    campaigns = list(Campaign.objects.filter(study__in=own).only("pk", "study"))
    study_of = {campaign.pk: campaign.study_id for campaign in campaigns}
    waiting: Counter[int] = Counter()
    for campaign, count in waiting_in_all(campaigns).items():
        waiting[study_of[campaign]] += count
    return {
        study.pk: (
            ngettext("%(n)s answer waits for a review", "%(n)s answers wait for a review", waiting[study.pk])
            % {"n": f"{waiting[study.pk]:,}"},
            reverse("study_reviews", args=[study.slug]),
        )
        for study in own
        if study.pk in waiting
    }


def _failed_jobs(person: Any, studies: Sequence[Study]) -> dict[int, tuple[str, str]]:
    own = {study.slug: study for study in studies if study.can(person, Can.RUN_MODELS)}
    recent = Job.objects.filter(
        study_slug__in=own, state=Job.State.FAILED, ended_at__gt=timezone.now() - FAILED_WITHIN
    ).order_by("-pk")
    failed: dict[str, list[tuple[int, str]]] = {}
    for slug, key, task, title in recent.values_list("study_slug", "pk", "task", "title"):
        failed.setdefault(slug, []).append((key, title_for_reader(task, title)))
    return {own[slug].pk: _failed(slug, jobs) for slug, jobs in failed.items()}


def _failed(slug: str, jobs: list[tuple[int, str]]) -> tuple[str, str]:
    if len(jobs) == 1:
        key, title = jobs[0]
        return _("A job failed: %(title)s") % {"title": title}, reverse("job", args=[slug, key])
    return _("%(n)s jobs failed") % {"n": len(jobs)}, reverse("study_jobs", args=[slug])


def _reports(person: Any, studies: Sequence[Study], session: Any) -> dict[int, tuple[str, str]]:
    own = [study for study in studies if study.can(person, Can.VIEW_REPORT)]
    unread = unread_reports(session, own)
    return {
        study.pk: (_("The report is new"), reverse("study_report", args=[study.slug]))
        for study in own
        if study.pk in unread
    }


# Studies as cards: how far their open campaigns are.

OPEN = (Campaign.State.OPEN, Campaign.State.PAUSED)


@dataclass
class Card:
    """A study; `done` of `total` assignments of its open campaigns, and counts, all 0 where they may not be seen."""

    study: Study
    campaigns: int = 0
    systems: int = 0
    done: int = 0
    total: int = 0
    staff: bool = False


def cards_of(person: Any, studies: Sequence[Study]) -> list[Card]:
    """A card for each study; three queries, however many. Annotators see no counts of a study."""
    cards = {study.pk: Card(study, staff=study.can(person, Can.VIEW_STUDY)) for study in studies}
    seen = [key for key, card in cards.items() if card.staff]
    assignments = Assignment.objects.filter(
        campaign__study__in=seen, campaign__machine_of=None, campaign__state__in=OPEN, pilot=False, item__control=False
    ).exclude(state=Assignment.State.DROPPED)
    counted = assignments.order_by().values_list("campaign__study").annotate(
        total=Count("pk"), done=Count("pk", filter=Q(state=Assignment.State.DONE))
    )  # fmt: skip
    for key, total, done in counted:
        cards[key].total, cards[key].done = total, done
    for name, model in (("campaigns", Campaign), ("systems", System)):
        for key, count in model.objects.filter(study__in=seen).order_by().values_list("study").annotate(Count("pk")):
            setattr(cards[key], name, count)
    return list(cards.values())


# Studies of a person, and campaigns, systems and documents in them, by name.

MOST = 20
"""Hits of a kind that are shown."""


@dataclass(frozen=True)
class Hit:
    name: str
    kind: str
    study: Study
    url: str


def search(person: Any, studies: Sequence[Study], query: str) -> list[Hit]:
    """Hits whose name contains `query`, studies first; within studies only for those who may view them.

    Texts under terms are not searched: documents are found by title and code, in studies without bars.
    """
    words = query.casefold()
    hits = [
        Hit(study.title, _("Study"), study, reverse("study", args=[study.slug]))
        for study in studies
        if words in study.title.casefold() or words in study.slug
    ][:MOST]
    seen = {study.pk: study for study in studies if study.can(person, Can.VIEW_STUDY)}
    for campaign in Campaign.objects.filter(study__in=seen, name__icontains=query).order_by("pk")[:MOST]:
        study = seen[campaign.study_id]
        hits.append(Hit(campaign.name, _("Campaign"), study, reverse("campaign", args=[study.slug, campaign.slug])))
    for system in System.objects.filter(study__in=seen, name__icontains=query).order_by("pk")[:MOST]:
        study = seen[system.study_id]
        hits.append(Hit(system.name, _("System"), study, reverse("system", args=[study.slug, system.pk])))
    return hits + _documents(person, seen, query)


def _documents(person: Any, seen: dict[int, Study], query: str) -> list[Hit]:
    named = Document.objects.filter(Q(title__icontains=query) | Q(code__icontains=query), study__in=seen)
    found = list(named.order_by("pk")[:MOST])
    barred = {key for key in {document.study_id for document in found} if seen[key].bars(person)}
    return [
        Hit(str(document), _("Document"), seen[document.study_id], _address(seen[document.study_id], document))
        for document in found
        if document.study_id not in barred
    ]


def _address(study: Study, document: Document) -> str:
    return reverse("document", args=[study.slug, document.pk])
