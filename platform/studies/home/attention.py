"""What in a person's studies needs them: failed jobs, answers that wait for a review, reports that are new."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.permissions import Can
from annotation.models import Campaign
from annotation.progress.counts import waiting_in_all
from corpora.models import Study
from evaluation.presenters.opened_reports import unread_reports
from jobs.models import Job

FAILED_WITHIN = timedelta(days=7)


@dataclass(frozen=True)
class Attention:
    """One line: the study, what waits there, and the page where it is dealt with. `kind` is review, job or report."""

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
    for slug, key, title in recent.values_list("study_slug", "pk", "title"):
        failed.setdefault(slug, []).append((key, title))
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
