"""Make a campaign, with all its items and assignments, or planned, to get them when it starts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from accounts.audit import audited
from annotation.blinding import draw_item_order
from annotation.campaigns.criteria import keep_criteria
from annotation.campaigns.fields import NO_ITEMS, checked, checked_settings, complete
from annotation.campaigns.items import build_items
from annotation.models import Campaign, Guideline
from annotation.task_types import TASK_TYPES, TaskType
from corpora.actions.lock_study import lock_study
from corpora.models import Study, System
from foundation.errors import UserError

TAKEN_SLUGS = {"new", "work"}


@audited
@transaction.atomic
def create_campaign(
    *,
    study: Study,
    slug: str = "",
    systems: Sequence[System] | None = None,
    sentences: Sequence[int] | None = None,
    extras: Mapping[int, Sequence[str]] | None = None,
    by: Any = None,
    **fields: Any,
) -> Campaign:
    """Make a campaign in the state `draft` with these `fields` (`CampaignFields`).

    Without `direction` it covers all of the study's; without `systems`, all of its systems. Ratings without criteria in
    their `settings` take those of the study; criteria that the study lacks are added to it. A `planned` campaign gets
    its items when it starts, and so does one that comes `after` another, from what that one makes.

    With `sentences` there are items of these keys alone, in the study's order. `extras` are further texts by the key of
    their sentence, judged among its outputs as any other candidate; where they are given, be it {}, the items come in a
    drawn order. In a study of documents a key is that of the first sentence of a document.
    """
    lock_study(study)
    given = complete(fields)
    kind = TASK_TYPES[given.get("task_type", "")]
    stored = checked(study, kind, given)
    settings, guideline = stored.pop("settings", None), stored.pop("guideline", "")
    later = stored.pop("planned") or stored.get("after") is not None
    if systems is not None and later:
        raise UserError("A campaign that gets its items later takes all systems that exist then.", where="systems")
    chosen = _chosen(kind, sentences, extras, later=later)
    campaign = Campaign(
        study=study,
        slug=free_slug(study, slug or stored["name"]),
        settings=checked_settings(study, stored["task_type"], settings),
        made_by=by,
        **stored,
    )
    campaign.save()
    keep_criteria(study, campaign.settings.get("criteria", []))
    Guideline.objects.create(campaign=campaign, version=1, text=guideline)
    if not later:
        build_items(campaign, list(study.systems.all()) if systems is None else systems, **chosen)
        if not campaign.size:
            raise UserError(NO_ITEMS)
        if extras is not None:
            draw_item_order(campaign)
    return campaign


def _chosen(
    kind: TaskType, sentences: Sequence[int] | None, extras: Mapping[int, Sequence[str]] | None, *, later: bool
) -> dict[str, Any]:
    """The choice among the study's sentences, as their material takes it."""
    if sentences is None and extras is None:
        return {}
    if later:
        raise UserError("A campaign that gets its items later takes all texts that exist then.", where="sentences")
    if kind.works_on != "sentences":
        raise UserError("This kind of work does not use sentences.", where="sentences")
    if extras and not kind.judges():
        raise UserError("Only judging campaigns take extra texts.", where="extras")
    return {"only": sentences, "extras": extras}


def free_slug(study: Study, wanted: str) -> str:
    """An address that no other campaign of the study has."""
    base = slugify(wanted)[:70].strip("-_") or "campaign"
    taken = TAKEN_SLUGS | set(Campaign.everything.filter(study=study).values_list("slug", flat=True))
    return next(slug for slug in _numbered(base) if slug not in taken)


def _numbered(base: str) -> Iterator[str]:
    yield base
    number = 2
    while True:
        yield f"{base}-{number}"
        number += 1
