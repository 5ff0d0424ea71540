"""The kinds of events. A kind is declared here and nowhere else: its name, its words, its data, who may see it."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.permissions import Can


@dataclass(frozen=True)
class Kind:
    """A kind of event. It carries `data` besides. `needs` is the capability in the study that lets one see it.

    Annotators (`ENTER_STUDY` alone) see those of campaigns for their role.
    """

    name: str
    label: Any
    data: tuple[str, ...] = ()
    needs: Can = Can.VIEW_STUDY


KINDS = {
    kind.name: kind
    for kind in (
        Kind("job.done", _("A job is done"), ("job", "task")),
        Kind("job.failed", _("A job failed"), ("job", "task")),
        Kind("job.cancelled", _("A job was cancelled"), ("job", "task")),
        Kind("campaign.opened", _("A campaign was opened"), ("campaign",), Can.ENTER_STUDY),
        Kind("campaign.paused", _("A campaign was paused"), ("campaign",), Can.ENTER_STUDY),
        Kind("campaign.closed", _("A campaign was closed"), ("campaign",), Can.ENTER_STUDY),
        Kind("campaign.progress", _("A quarter, half or three quarters of a campaign is done"),
             ("campaign", "percent", "done", "total")),
        Kind("campaign.complete", _("All items of a campaign are done"), ("campaign", "percent", "done", "total")),
        Kind("guideline.changed", _("A guideline has a new version"), ("campaign", "version"), Can.ENTER_STUDY),
        Kind("human_study.opened", _("A human study was opened"), ("human_study",)),
        Kind("human_study.closed", _("A human study was closed"), ("human_study",)),
        Kind("release.published", _("A release of gold was made"), ("release", "rows")),
        Kind("report.ready", _("A report is ready"), (), Can.VIEW_REPORT),
    )
}  # fmt: skip
FOR_ANNOTATORS = [kind.name for kind in KINDS.values() if kind.needs == Can.ENTER_STUDY]
