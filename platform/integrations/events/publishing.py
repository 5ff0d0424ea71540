"""Publishing events: a number for each, in the order in which their transactions ended, and word to who asked for it.

A row's key is drawn before its transaction ends, so a reader who goes by keys passes over those of slow transactions.
Numbers are given by one process after the other, to rows that everybody can see.
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.dispatch import Signal
from django.utils import timezone

from annotation.models import Campaign
from annotation.progress.counts import progress_of_all
from integrations.events.models import Event
from integrations.events.recording import record

LOCK = 7_114_025  # of PostgreSQL's advisory locks
QUARTERS = (25, 50, 75, 100)
# From a sequence: no number is given again where a campaign that was removed took its events with it.
NUMBER = """
UPDATE events_event e SET number = n.number FROM (
    SELECT id, nextval('events_event_published') AS number
    FROM (SELECT id FROM events_event WHERE number IS NULL ORDER BY id) unpublished
) n WHERE e.id = n.id RETURNING e.id
"""

# Sent with `events`, the newly numbered ones in their order, in the transaction that numbered them.
published = Signal()


@transaction.atomic
def publish() -> int:
    """Number the events that have none; how many."""
    if not Event.objects.filter(number=None).exists():
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        keys = [key for (key,) in cursor.execute(NUMBER).fetchall()]
    events = list(Event.objects.filter(pk__in=keys).select_related("study").order_by("number"))
    published.send(sender=Event, events=events)
    return len(events)


def as_told(event: Event) -> dict[str, Any]:
    """The event as the API and webhooks tell it."""
    return {
        "type": event.kind,
        "timestamp": event.at.isoformat(),
        "data": {"id": event.number, "study": event.study.slug, **event.data},
    }


def note_progress() -> int:
    """Record the quarters that open campaigns have come to since the last look; how many.

    An answer is stored by a few statements, and counting all of a campaign is not among them; so the clock counts.
    A campaign that came far at once tells only of the last quarter; one that grew has its quarters again.
    """
    open_ones = Campaign.objects.filter(state=Campaign.State.OPEN, purpose=Campaign.Purpose.WORK)
    campaigns = {one.pk: one for one in open_ones.filter(study__archived_at=None).select_related("study")}
    told = set(Event.objects.filter(campaign__in=campaigns).exclude(once="").values_list("campaign", "once"))
    count = 0
    for key, progress in progress_of_all(campaigns.values()).items():
        done, total = progress.done, progress.total
        come_to = max((one for one in QUARTERS if total and 100 * done >= one * total), default=0)
        once = f"{come_to}/{total}"
        if come_to and (key, once) not in told:
            count += 1
            kind = "campaign.complete" if come_to == 100 else "campaign.progress"
            study = campaigns[key].study
            told_now: dict[str, Any] = {"percent": come_to, "done": done, "total": total}
            with transaction.atomic():
                record(kind, study, campaign=campaigns[key], once=once, **told_now)
    return count


def prune() -> int:
    """Remove the events that are older than RESTYLE_EVENT_DAYS, with their deliveries; how many rows."""
    old = Event.objects.filter(at__lt=timezone.now() - timedelta(days=settings.EVENT_DAYS))
    return int(old.delete()[0])
