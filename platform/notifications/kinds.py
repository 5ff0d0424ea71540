"""The kinds of notifications by mail. A kind is declared here and nowhere else: its name, its words, its finder.

A finder lists the things that wait for a person now; each has a key, by which it is told once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import Person
from accounts.permissions import Can
from annotation.progress.own_campaigns import campaigns_for, reviews_for
from corpora.models import Membership, Study
from evaluation.models import Report
from jobs.models import Job

RECENT = timedelta(days=7)  # older events are no news


class Waiting(NamedTuple):
    """One thing that waits: its key, its sentence, and the page where it is dealt with."""

    key: str
    text: str
    path: str


@dataclass(frozen=True)
class Kind:
    """A kind of notification. `about` is said on the page where people choose."""

    name: str
    label: Any
    about: Any
    find: Callable[[Person], Iterator[Waiting]]


def _invitations(person: Person) -> Iterator[Waiting]:
    added = Membership.objects.filter(person=person, made_at__gt=timezone.now() - RECENT, study__archived_at=None)
    for member in added.select_related("study"):
        said = _("You are now in the study “{study}”.").format(study=member.study.title)
        yield Waiting(f"member/{member.pk}", said, reverse("home"))


def _work(person: Person) -> Iterator[Waiting]:
    for row in campaigns_for(person):
        campaign, need = row["campaign"], row["need"]
        path = reverse("campaign_work", args=[campaign.study.slug, campaign.slug])
        names = {"campaign": campaign.name, "study": campaign.study.title}
        if need == "revise":
            said = ngettext(
                "{n} of your answers in “{campaign}” ({study}) was sent back to you.",
                "{n} of your answers in “{campaign}” ({study}) were sent back to you.",
                row["rejected"],
            )
            answers = reverse("campaign_answers", args=[campaign.study.slug, campaign.slug])
            yield Waiting(f"revise/{campaign.pk}/{row['rejected']}", said.format(n=row["rejected"], **names), answers)
        elif need == "prepare" or (need == "work" and row["free"] != 0):
            said = _("There is work for you in “{campaign}” ({study}).").format(**names)
            yield Waiting(f"work/{campaign.pk}/{campaign.size}/{campaign.overlap}", said, path)


def _reviews(person: Person) -> Iterator[Waiting]:
    for row in reviews_for(person):
        campaign = row["campaign"]
        said = ngettext(
            "{n} answer in “{campaign}” ({study}) waits for a review.",
            "{n} answers in “{campaign}” ({study}) wait for a review.",
            row["waiting"],
        ).format(n=row["waiting"], campaign=campaign.name, study=campaign.study.title)
        path = reverse("campaign_review", args=[campaign.study.slug, campaign.slug])
        yield Waiting(f"review/{campaign.pk}", said, path)


def _failed_jobs(person: Person) -> Iterator[Waiting]:
    failed = Job.objects.filter(made_by=person, state=Job.State.FAILED, ended_at__gt=timezone.now() - RECENT)
    for job in failed.order_by("pk").defer("log"):
        if job.study_slug:
            path = reverse("job", args=[job.study_slug, job.pk])
            yield Waiting(f"job/{job.pk}", _("A job failed: {title}").format(title=job.title), path)


def _reports(person: Person) -> Iterator[Waiting]:
    studies = {study.pk: study for study in Study.objects.of(person).with_role_of(person)}
    new = Report.objects.filter(study__in=studies, study__archived_at=None, made_at__gt=timezone.now() - RECENT)
    for study, made_at in new.order_by("study").values_list("study", "made_at"):
        if studies[study].can(person, Can.VIEW_REPORT):
            said = _("The report of “{study}” is ready.").format(study=studies[study].title)
            yield Waiting(
                f"report/{study}/{made_at:%Y%m%d%H%M%S}", said, reverse("study_report", args=[studies[study].slug])
            )


KINDS: tuple[Kind, ...] = (
    Kind("invitation", gettext_lazy("Invitations"), gettext_lazy("You were added to a study."), _invitations),
    Kind(
        "work", gettext_lazy("Work for you"),
        gettext_lazy("A campaign has items for you, new ones too, or an answer came back."), _work,
    ),
    Kind("review", gettext_lazy("Reviews"), gettext_lazy("Answers wait for somebody to review them."), _reviews),
    Kind("job_failed", gettext_lazy("Failed jobs"), gettext_lazy("A job that you started failed."), _failed_jobs),
    Kind("report", gettext_lazy("Reports"), gettext_lazy("There is a new report of one of your studies."), _reports),
)  # fmt: skip
