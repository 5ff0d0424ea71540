"""The kinds of notifications by mail. A kind is declared here and nowhere else: its name, its words, its finder.

A finder lists the things that wait for a person now; each has a key, by which it is told once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import Person
from accounts.permissions import Role
from annotation.progress.own_campaigns import campaigns_for, reviews_for
from corpora.models import Membership
from integrations.events.models import Event
from integrations.events.visible import events_for
from integrations.webhooks.models import Webhook
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
    failed = {event.data["job"]: event for event in _recent(person, "job.failed").filter(person=person)}
    for job in Job.objects.filter(pk__in=failed, state=Job.State.FAILED).order_by("pk").defer("log"):
        path = reverse("job", args=[failed[job.pk].study.slug, job.pk])
        yield Waiting(f"job/{job.pk}", _("A job failed: {title}").format(title=job.shown_title), path)


def _reports(person: Person) -> Iterator[Waiting]:
    newest = {event.study_id: event for event in _recent(person, "report.ready")}
    for study, event in newest.items():
        said = _("The report of “{study}” is ready.").format(study=event.study.title)
        path = reverse("study_report", args=[event.study.slug])
        yield Waiting(f"report/{study}/{event.at:%Y%m%d%H%M%S}", said, path)


def _complete(person: Person) -> Iterator[Waiting]:
    leads = {"study__memberships__person": person, "study__memberships__role": Role.RESEARCHER}
    for event in _recent(person, "campaign.complete").filter(**leads).select_related("campaign", "study"):
        assert event.campaign is not None
        said = _("All items of “{campaign}” ({study}) are done.")
        path = reverse("campaign", args=[event.study.slug, event.campaign.slug])
        told = said.format(campaign=event.campaign.name, study=event.study.title)
        yield Waiting(f"complete/{event.campaign_id}/{event.once}", told, path)


def _webhooks(person: Person) -> Iterator[Waiting]:
    off = Webhook.objects.filter(made_by=person, is_on=False, disabled_at__gt=timezone.now() - RECENT)
    for webhook in off.select_related("study"):
        said = _("The webhook to {address} was switched off: {why}")
        study = webhook.study
        path = (
            reverse("study_webhook", args=[study.slug, webhook.pk])
            if study
            else reverse("site_webhook", args=[webhook.pk])
        )
        yield Waiting(f"webhook/{webhook.pk}", said.format(address=webhook.host, why=webhook.shown_why), path)


def _recent(person: Person, kind: str) -> QuerySet[Event]:
    """The events of a kind that the person may see, of studies at work; the oldest first."""
    return events_for(person).filter(kind=kind, at__gt=timezone.now() - RECENT, study__archived_at=None)


KINDS: tuple[Kind, ...] = (
    Kind("invitation", gettext_lazy("Invitations"), gettext_lazy("You were added to a study."), _invitations),
    Kind(
        "work", gettext_lazy("Work for you"),
        gettext_lazy("A campaign has items for you, new ones too, or an answer came back."), _work,
    ),
    Kind("review", gettext_lazy("Reviews"), gettext_lazy("Answers wait for somebody to review them."), _reviews),
    Kind("job_failed", gettext_lazy("Failed jobs"), gettext_lazy("A job that you started failed."), _failed_jobs),
    Kind("report", gettext_lazy("Reports"), gettext_lazy("There is a new report of one of your studies."), _reports),
    Kind(
        "campaign", gettext_lazy("Finished campaigns"),
        gettext_lazy("All items of a campaign of a study that you run are done."), _complete,
    ),
    Kind(
        "webhook", gettext_lazy("Webhooks"), gettext_lazy("A webhook that you made was switched off, since it failed."),
        _webhooks,
    ),
)  # fmt: skip
