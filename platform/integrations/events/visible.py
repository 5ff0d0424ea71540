"""Which events a person may see: by their role in each study, and for annotators by the roles of the campaign."""

from typing import Any

from django.db.models import Q, QuerySet

from accounts.permissions import GRANTS, Can
from corpora.models import Membership
from integrations.events.kinds import FOR_ANNOTATORS, KINDS
from integrations.events.models import Event


def events_for(person: Any) -> QuerySet[Event]:
    """The published events that `person` may see, in the order of their numbers."""
    published = Event.objects.exclude(number=None).select_related("study").order_by("number")
    if person.is_admin:
        return published
    seen = Q(pk__in=[])
    for study, role in Membership.objects.filter(person=person).values_list("study", "role"):
        if role in GRANTS[Can.VIEW_STUDY]:
            kinds = [kind.name for kind in KINDS.values() if role in GRANTS[kind.needs]]
            seen |= Q(study=study, kind__in=kinds)
        else:
            seen |= Q(study=study, kind__in=FOR_ANNOTATORS, campaign__roles__contains=[role])
    return published.filter(seen)
