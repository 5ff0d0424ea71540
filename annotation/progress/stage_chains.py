"""The stages of a study's campaigns, as the picture of the list draws them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.campaigns.expected_answers import ASKED_OF
from annotation.models import Campaign
from annotation.progress.counts import Progress, progress_of_all, waiting_in_all
from annotation.progress.pace import Pace, paces
from annotation.task_types import TASK_TYPES


@dataclass
class Stage:
    """A campaign in the picture, and the stages that take what it makes."""

    campaign: Campaign
    kind: Any
    progress: Progress
    waiting: int
    asks_for: str  # the name of the campaign that must be passed first
    pace: Pace
    after: list["Stage"] = field(default_factory=list)

    @property
    def takes(self) -> str:
        """What it takes of the stage before, where that is not simply what was accepted."""
        plain = self.campaign.after_id is None or self.campaign.takes == Campaign.Takes.ACCEPTED
        return "" if plain else self.campaign.get_takes_display()

    @property
    def is_preparation(self) -> bool:
        return self.campaign.purpose in ASKED_OF


def chains(campaigns: Sequence[Campaign], among: Sequence[Campaign] = ()) -> list[Stage]:
    """The first stages, each with those after it. A campaign whose predecessor is not among them is a first stage.

    `among` are all campaigns of the study, where these are not: what a stage asks for is named by them. Three queries,
    however many campaigns.
    """
    stages = _stages(campaigns, {campaign.slug: campaign.name for campaign in among or campaigns})
    for campaign in campaigns:
        if campaign.after_id in stages:
            stages[campaign.after_id].after.append(stages[campaign.pk])
    return [stages[campaign.pk] for campaign in campaigns if campaign.after_id not in stages]


def chain_of(campaign: Campaign) -> list[Stage]:
    """The chain that a campaign is part of; empty where it stands alone."""
    everything = list(campaign.study.campaigns.select_related("direction"))
    own = _connected(campaign, everything)
    return chains(own, everything) if len(own) > 1 else []


def _connected(campaign: Campaign, everything: list[Campaign]) -> list[Campaign]:
    before = {campaign.pk: campaign.after_id for campaign in everything}
    first = _first_of(campaign.pk, before)
    return [campaign for campaign in everything if _first_of(campaign.pk, before) == first]


def _first_of(key: int, before: dict[int, Any]) -> int:
    for _ in before:  # no chain is longer
        if not before.get(key):
            break
        key = before[key]
    return key


def _stages(campaigns: Sequence[Campaign], names: dict[str, str]) -> dict[int, Stage]:
    progress, waiting = progress_of_all(campaigns), waiting_in_all(campaigns)
    pace = paces({campaign: progress[campaign.pk].left for campaign in campaigns})
    return {
        campaign.pk: Stage(
            campaign=campaign,
            kind=TASK_TYPES[campaign.task_type],
            progress=progress[campaign.pk],
            waiting=waiting.get(campaign.pk, 0),
            asks_for=names.get(asked := _asked(campaign), asked),
            pace=pace[campaign.pk],
        )
        for campaign in campaigns
    }


def _asked(campaign: Campaign) -> str:
    return (campaign.crew.get("qualification") or {}).get("campaign", "")
