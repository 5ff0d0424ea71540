"""Make the rewrites of a campaign references of its study."""

from collections import defaultdict
from typing import Any

from django.db import transaction

from accounts.trail import recorded
from annotation.models import Campaign
from annotation.rewrites import rewrites
from corpora.actions.add_references import add_references
from corpora.actions.lock_study import lock_study
from corpora.models import Direction, Reference, ReferenceSet
from foundation.errors import UserError


@recorded
@transaction.atomic
def adopt_rewrites(*, campaign: Campaign, by: Any) -> list[ReferenceSet]:
    """The k-th rewrites of the sources become a reference set, for each k and direction.

    Only what counts is taken: no pilot, nothing rejected. Adopted again, the campaign's sets are made anew.
    """
    if campaign.task_type != "rewrite":
        raise UserError("Only a campaign of rewrites gives references.")
    lock_study(campaign.study)
    columns: dict[int, dict[int, str]] = defaultdict(dict)
    for row in rewrites(campaign.study, campaign):
        columns[row.place][row.sentence_id] = row.text
    if not columns and not _sets(campaign).exists():
        raise UserError("There is no rewrite to adopt yet.")
    made = [one for place in sorted(columns) for one in _adopt(campaign, place, columns[place])]
    # Of fewer rewrites than last time there are fewer sets: what was rejected since must not stay a reference.
    Reference.objects.filter(set__in=_sets(campaign).exclude(pk__in=[one.pk for one in made])).delete()
    return made


def _sets(campaign: Campaign) -> Any:
    """The reference sets that this campaign gave so far."""
    return ReferenceSet.objects.filter(
        direction__study=campaign.study_id, origin__startswith=f"campaign {campaign.slug}, rewrite "
    )


def _adopt(campaign: Campaign, place: int, texts: dict[int, str]) -> list[ReferenceSet]:
    origin = f"campaign {campaign.slug}, rewrite {place}"
    directions = [campaign.direction] if campaign.direction else list(campaign.study.directions.all())
    return [made for direction in directions if (made := _set(direction, origin, texts))]


def _set(direction: Direction, origin: str, texts: dict[int, str]) -> ReferenceSet | None:
    keys = direction.sentences.order_by("number").values_list("pk", flat=True)
    column = [texts.get(pk) for pk in keys]
    there = direction.reference_sets.filter(origin=origin).first()
    if there is None:
        return add_references(direction=direction, texts=column, origin=origin) if any(column) else None
    there.references.all().delete()
    fresh = [Reference(set=there, sentence_id=pk, text=text) for pk, text in zip(keys, column, strict=True) if text]
    Reference.objects.bulk_create(fresh, batch_size=1000)
    return there
