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
    return {"slug": campaign.slug, **_given(list_options(CampaignFields), campaign, also), **_criteria(criteria)}


def _human_study(plan: HumanStudy) -> Block:
    also = {
        "direction": plan.direction.name if plan.direction else None,
        "systems": [system.name for system in plan.systems.order_by("number")], "criteria": None,
    }  # fmt: skip
    given = _given(list_options(HumanStudyFields), plan, also)
    return {"slug": plan.slug, **given, "systems": also["systems"], **_criteria(plan.criteria)}


def _given(options: Iterable[Option], row: Any, also: Mapping[str, Any]) -> Block:
    """The fields that differ from their default, with those that are `also` known."""
    values = {one.name: also[one.name] if one.name in also else getattr(row, one.name) for one in options}
    for one in options:
        if isinstance(one.rows, type) and one.name not in also:  # a text of a study file is never empty
            values[one.name] = [{key: said for key, said in each.items() if said != ""} for each in values[one.name]]
    usual = {one.name: list(one.default) if isinstance(one.default, tuple) else one.default for one in options}
    return {name: value for name, value in values.items() if value not in (usual[name], None, {}, [])}


def _criteria(criteria: Any) -> dict[str, Block]:
    found = {
        one["name"]: {key: one[key] for key in ("scale", "aspect", "beside") if one.get(key)} for one in criteria or ()
    }
    return {"criteria": found} if found else {}
