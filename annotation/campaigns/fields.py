"""The fields of a campaign, each declared once: form, API, study file and actions are made from them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from accounts.permissions import Role
from annotation import annotator_pool as eligibility
from annotation.campaigns.criteria import criteria_of
from annotation.models import Campaign
from annotation.models.campaign import every_role
from annotation.quality import check_checks
from annotation.task_types import TASK_TYPES, TaskType
from corpora.models import Study
from foundation.errors import UserError
from foundation.options import as_given, check_given, list_options, option, storable, with_columns
from foundation.translation import translatable

LABELS = {
    Role.EXPERT_ANNOTATOR.value: translatable("Expert annotators"),
    Role.CROWD_ANNOTATOR.value: translatable("Crowd annotators"),
    Role.REVIEWER.value: translatable("Reviewers"),
    Role.RESEARCHER.value: translatable("Researchers"),
}
# When a field may be changed.
WHILE_EMPTY, WHEN_MADE = "while empty", "when made"


def _shown(rows: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
    """The examples that show something, complete."""
    complete = [{key: row.get(key, "") for key in ("about", "good", "bad", "why")} for row in rows]
    return [row for row in complete if row["good"] or row["bad"]]


@dataclass(frozen=True)
class Pay:
    """The pay for an item and for an hour; only given values are stored."""

    currency: str = option("", "Such as EUR.", label="Currency", characters=10, clean=str.strip)
    item: float = option(0.0, "", label="For an item", low=0, high=100_000)
    hour: float = option(0.0, "", label="For an hour", low=0, high=100_000)
    minutes: float = option(
        0.0, "The most minutes that hourly pay counts. Left empty, all the time that somebody keeps an item.",
        label="Minutes paid for an item", low=0.01, high=24 * 60,
    )  # fmt: skip
    rejected: bool = option(False, "", label="Rejected items are paid too")


@dataclass(frozen=True)
class Example:
    """A good or a bad text beside the guideline, about a criterion or a step."""

    about: str = option("", "", label="About", characters=2000, clean=str.strip)
    good: str = option("", "", label="Good", characters=2000, clean=str.strip)
    bad: str = option("", "", label="Bad", characters=2000, clean=str.strip)
    why: str = option("", "", label="Why", characters=2000, clean=str.strip)


def people_per_item(**more: Any) -> Any:
    """The option of the overlap; `more` is given to it besides."""
    return option(
        1, "Number of different people who answer each item.", label="People per item", low=1, high=100, **more
    )


@with_columns(Campaign)
@dataclass(frozen=True)
class CampaignFields:
    """The fields that `create_campaign` and `edit_campaign` take, with the defaults of a new campaign.

    Those of the form's first part stand here in its order, and those that other rooms check or that are no columns. All
    others are declared at their columns (`annotation/models/campaign.py`) and follow these.
    """

    name: str = option("", "The name that people see.", label="Name", characters=200, required=True, clean=str.strip)
    task_type: str = option(
        "", "Kind of work", label="Kind of work", choices=lambda: TASK_TYPES.names(), required=True,
        changes=WHILE_EMPTY, what="task", old="task",
    )  # fmt: skip
    after: object = option(
        None, "The texts of the study, or the output of another campaign; then this campaign is the stage after it.",
        label="Texts to work on", row="campaign", changes=WHILE_EMPTY,
        what="campaign before this one",
    )  # fmt: skip
    takes: str = option(
        Campaign.Takes.ACCEPTED.value, "", label="Input", choices=Campaign.Takes.choices, changes=WHILE_EMPTY
    )
    direction: object = option(
        None, "Left out, all directions.", label="Direction", row="direction", changes=WHILE_EMPTY
    )
    overlap: int = people_per_item(changes=WHILE_EMPTY)
    settings: object = option(None, "The settings of the kind of work.", table=as_given, changes=WHILE_EMPTY)
    systems: object = option(
        None, "For judging campaigns. None ticked means all.", label="Systems to judge", row="system", changes=WHEN_MADE
    )
    guideline: str = option(
        "", "", label="Guideline", characters=100_000, lines=True, changes=WHEN_MADE, clean=str.strip
    )
    roles: tuple[str, ...] = option(
        (), "", label="Roles", choices=lambda: [(role, LABELS[role]) for role in every_role()], group="eligibility",
        clean=lambda roles: roles or every_role(),
    )  # fmt: skip
    eligibility: object = option(None, "The eligibility rules by name.", table=eligibility.check, old="crew")
    checks: object = option(None, "The quality checks by name.", table=check_checks)
    pay: object = option(None, "The pay for an item or an hour.", table=Pay, group="pay")
    examples: object = option(
        (), "Good and bad examples, shown beside the guideline.", rows=Example, high=100, clean=_shown
    )
    planned: bool = option(
        False, "The campaign takes the texts that the study has then. A stage after another one always does so.",
        label="Create the items when the campaign starts", group="more", changes=WHEN_MADE,
    )  # fmt: skip


NO_ITEMS = "There is nothing to work on: the study has no texts for this kind of work."


def complete(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a new campaign: the given ones that are not None, the rest with their defaults."""
    usual = {one.name: one.default for one in list_options(CampaignFields) if one.default not in (None, ())}
    return {**usual, "after": None, **{name: value for name, value in given.items() if value is not None}}


def checked(study: Study, kind: TaskType, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are given, in their stored form."""
    checked_fields = check_given(CampaignFields, fields, partial=True)
    if checked_fields.get("direction") is not None and checked_fields["direction"].study_id != study.pk:
        raise UserError("The direction is another study's.", where="direction")
    if "after" in checked_fields:
        _check_after(study, kind, checked_fields["after"], checked_fields.get("purpose", Campaign.Purpose.WORK))
    return checked_fields


def checked_settings(study: Study, task_type: str, settings: Mapping[str, Any] | None) -> dict[str, Any]:
    """The settings of the kind of work, complete; ratings that name no criteria take those of the study."""
    kind = TASK_TYPES[task_type]
    checked_one: dict[str, Any] = storable(kind.check_settings(_with_criteria(study, kind, settings or {})), "settings")
    return checked_one


def _with_criteria(study: Study, kind: TaskType, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings; where the work rates on criteria and names none, with those of the study."""
    if "criteria" in kind.defaults and not settings.get("criteria"):
        own = [one for one in criteria_of(study) if one["name"].casefold() not in kind.taken]
        return {**settings, "criteria": own} if own else {k: v for k, v in settings.items() if k != "criteria"}
    return dict(settings)


def _check_after(study: Study, kind: TaskType, after: Campaign | None, purpose: str) -> None:
    if after is None:
        if kind.works_on == "stage":
            raise UserError("This kind of work needs an earlier campaign, and takes its answers.", where="after")
        return
    if after.study_id != study.pk:
        raise UserError("The campaign before is another study's.", where="after")
    if purpose != Campaign.Purpose.WORK or after.purpose != Campaign.Purpose.WORK:
        raise UserError("A training or a qualification cannot be a stage.", where="after")
