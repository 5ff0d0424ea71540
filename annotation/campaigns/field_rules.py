"""What the fields of a campaign may be in its study; a UserError names the one that does not fit."""

from collections.abc import Mapping
from typing import Any

from annotation.campaigns.criteria import criteria_of
from annotation.campaigns.fields import CampaignFields
from annotation.models import Campaign
from annotation.task_types import TASK_TYPES, TaskType
from corpora.models import Study
from foundation.errors import UserError
from foundation.options import check_given, list_options, storable

NO_ITEMS = "There is nothing to work on: the study has no texts that this kind of work could use."


def complete(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a new campaign: what is given and not None, the rest as they usually are."""
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
        own = criteria_of(study)
        return {**settings, "criteria": own} if own else {k: v for k, v in settings.items() if k != "criteria"}
    return dict(settings)


def _check_after(study: Study, kind: TaskType, after: Campaign | None, purpose: str) -> None:
    if after is None:
        if kind.works_on == "stage":
            raise UserError("This kind of work needs a campaign before it, whose answers it takes.", where="after")
        return
    if after.study_id != study.pk:
        raise UserError("The campaign before is another study's.", where="after")
    if purpose != Campaign.Purpose.WORK or after.purpose != Campaign.Purpose.WORK:
        raise UserError("A training or a qualification is no stage.", where="after")
