"""The plan of a study as blocks of a study file: its campaigns and human studies, as drafts without their items."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from annotation.campaigns.fields import CampaignFields
from annotation.models import Campaign
from corpora.models import Study
from evaluation.human_studies.fields import HumanStudyFields
from evaluation.models import HumanStudy
from foundation.options import Option, list_options

Block = dict[str, Any]


def campaigns_of(study: Study) -> list[Block]:
    """Its campaigns, each behind the one that it comes after; those of human studies come with these."""
    rows = study.campaigns.filter(human_studies=None).select_related("direction", "after")
    return [_campaign(one) for one in _in_order(list(rows.order_by("made_at", "pk")))]


def human_studies_of(study: Study) -> list[Block]:
    """Its human studies, each as a draft."""
    return [_human_study(one) for one in study.human_studies.select_related("direction").order_by("made_at", "pk")]


def _in_order(rows: list[Campaign]) -> Iterator[Campaign]:
    waiting = {one.pk: one for one in rows}
    while waiting:
        ready = [one for one in waiting.values() if one.after_id not in waiting]
        for one in ready:
            yield waiting.pop(one.pk)


def _campaign(campaign: Campaign) -> Block:
    """A campaign gets its items when it starts, from the texts that the study has then."""
    settings = dict(campaign.settings)
    criteria = settings.pop("criteria", [])
    newest = campaign.guidelines.order_by("-version").first()
    also = {
        "direction": campaign.direction.name if campaign.direction else None,
        "after": campaign.after.slug if campaign.after else None,
        "settings": settings, "guideline": newest.text if newest else "", "planned": campaign.after is None,
        "systems": None,
    }  # fmt: skip
    return {"slug": campaign.slug, **given_fields(list_options(CampaignFields), campaign, also), **_criteria(criteria)}


def _human_study(plan: HumanStudy) -> Block:
    also = {
        "direction": plan.direction.name if plan.direction else None,
        "systems": [system.name for system in plan.systems.order_by("number")], "criteria": None,
    }  # fmt: skip
    given = given_fields(list_options(HumanStudyFields), plan, also)
    return {"slug": plan.slug, **given, "systems": also["systems"], **_criteria(plan.criteria)}


def given_fields(options: Iterable[Option], row: Any, also: Mapping[str, Any]) -> Block:
    """The fields that differ from their default, with those that are `also` known."""
    values = {one.name: also[one.name] if one.name in also else _said(one, getattr(row, one.name)) for one in options}
    usual = {one.name: list(one.default) if isinstance(one.default, tuple) else one.default for one in options}
    return {name: value for name, value in values.items() if value not in (usual[name], None, {}, [])}


def _said(one: Option, value: Any) -> Any:
    """The value without the empty texts of declared tables in it: a text of a study file is never empty."""
    if isinstance(one.rows, type):
        return [_of_table(one.rows, each) for each in value]
    return _of_table(one.table, value) if isinstance(one.table, type) and one.table is not dict else value


def _of_table(kind: type, values: Mapping[str, Any]) -> Block:
    declared = {one.name: one for one in list_options(kind)}
    return {key: _said(declared[key], said) for key, said in values.items() if said != "" or declared[key].default}


def _criteria(criteria: Any) -> dict[str, Block]:
    found = {
        one["name"]: {key: one[key] for key in ("scale", "aspect", "beside") if one.get(key)} for one in criteria or ()
    }
    return {"criteria": found} if found else {}
