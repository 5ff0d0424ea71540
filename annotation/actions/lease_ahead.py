"""Lease the next items ahead of the one that somebody works at, and give them back."""

from collections.abc import Collection
from typing import Any

from django.db import transaction

from annotation.engine import leases_ahead
from annotation.engine.annotator_context import AnnotatorContext, annotator_context
from annotation.engine.deadlocks import retry_on_deadlock
from annotation.engine.leases import LeasedItem


@retry_on_deadlock
@transaction.atomic
def lease_ahead(*, study: Any, campaign: str, person: Any) -> tuple[AnnotatorContext, list[LeasedItem]]:
    """Renew what `person` has ahead in the campaign of that slug, and lease more up to the campaign's `prefetch`.

    Campaign.DoesNotExist where the study has no such campaign.
    """
    context = annotator_context(study=study, campaign=campaign, person=person)
    return context, leases_ahead.lease_ahead(context)


@retry_on_deadlock
@transaction.atomic
def give_back_ahead(*, study: Any, campaign: str, person: Any, only: Collection[int]) -> None:
    """Free the assignments `only` that `person` has ahead there: their page is left, and never showed them."""
    leases_ahead.give_back(annotator_context(study=study, campaign=campaign, person=person), list(only))
