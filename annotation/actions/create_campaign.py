"""Make a campaign, with all its items and slots."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from django.db import transaction
from django.utils.text import slugify

from annotation.building import store_items
from annotation.criteria import criteria_of, keep_criteria
from annotation.models import Campaign, Guideline
from annotation.models.campaign import every_role
from annotation.task_types import TASK_TYPES
from corpora.actions.lock_study import lock_study
from corpora.models import Direction, Study, System
from foundation.errors import UserError

NO_ITEMS = "There is nothing to work on: the study has no texts that this kind of work could use."
TAKEN_SLUGS = {"new", "work"}


@transaction.atomic
def create_campaign(
    *,
    study: Study,
    name: str,
    task_type: str,
    direction: Direction | None = None,
    settings: Mapping[str, Any] | None = None,
    systems: Sequence[System] | None = None,
    overlap: int = 1,
    lease_minutes: int = 60,
    roles: Sequence[str] | None = None,
    seed: int = 1,
    guideline: str = "",
    slug: str = "",
    by: Any = None,
) -> Campaign:
    """Make a campaign in the state `draft`: `overlap` different people an item.

    Without `direction` it covers all of the study's; without `systems`, all of its systems. Ratings without criteria in
    their `settings` take those of the study; criteria that the study lacks are added to it.
    """
    lock_study(study)
    kind = TASK_TYPES[task_type]
    _check(study, name, direction, overlap, lease_minutes, roles, seed)
    campaign = Campaign.objects.create(
        study=study,
        slug=_slug(study, slug or name),
        name=name.strip(),
        task_type=task_type,
        direction=direction,
        settings=_storable(kind.check_settings(_with_criteria(study, kind, settings or {}))),
        overlap=overlap,
        lease_minutes=lease_minutes,
        roles=list(roles or every_role()),
        seed=seed,
        made_by=by,
    )
    keep_criteria(study, campaign.settings.get("criteria", []))
    Guideline.objects.create(campaign=campaign, version=1, text=guideline.strip())
    campaign.size = store_items(campaign, list(study.systems.all()) if systems is None else systems)
    if not campaign.size:
        raise UserError(NO_ITEMS)
    campaign.save(update_fields=["size"])
    return campaign


def _check(study: Study, name: str, direction: Any, overlap: int, lease_minutes: int, roles: Any, seed: int) -> None:
    if not name.strip() or len(name) > 200:
        raise UserError("A campaign needs a name of at most 200 characters.", where="name")
    if direction is not None and direction.study_id != study.pk:
        raise UserError("The direction is another study's.", where="direction")
    if not 1 <= overlap <= 100:
        raise UserError("From 1 to 100 people may work on an item.", where="overlap")
    if not 1 <= lease_minutes <= 7 * 24 * 60:
        raise UserError("A lease lasts from 1 minute to 7 days.", where="lease_minutes")
    if not -(2**31) <= seed < 2**31:
        raise UserError("A seed is a whole number of at most 32 bits.", where="seed")
    for role in roles or []:
        if role not in every_role():
            raise UserError(f"Expected roles among {', '.join(every_role())}; found {role!r}.", where="roles")


def _with_criteria(study: Study, kind: Any, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings; where the work rates on criteria and names none, with those of the study."""
    if "criteria" in kind.defaults and not settings.get("criteria"):
        own = criteria_of(study)
        return {**settings, "criteria": own} if own else {k: v for k, v in settings.items() if k != "criteria"}
    return dict(settings)


def _storable(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings; a UserError where a text in them holds what PostgreSQL cannot keep."""
    try:
        clean = b"\\u0000" not in orjson.dumps(settings)
    except TypeError:  # half of a surrogate pair
        clean = False
    if not clean:
        raise UserError("A text of the settings holds a character that cannot be stored.", where="settings")
    return settings


def _slug(study: Study, wanted: str) -> str:
    """An address that no other campaign of the study has."""
    base = slugify(wanted)[:70] or "campaign"
    taken = TAKEN_SLUGS | set(study.campaigns.values_list("slug", flat=True))
    return next(one for one in _numbered(base) if one not in taken)


def _numbered(base: str) -> Any:
    yield base
    number = 2
    while True:
        yield f"{base}-{number}"
        number += 1
