"""The look of the clock at open recruitments: hooks may be lost, and not every site has some."""

from django.utils import timezone

from integrations.recruiting.execution import queue_order
from integrations.recruiting.models import Order, Recruitment

OVER = ("", "UNPUBLISHED", "COMPLETED", "Disposed")
UNFINISHED = (Order.State.QUEUED, Order.State.RUNNING)


def look_at_open() -> int:
    """Order a look at each that is open and where none is under way; how many."""
    count = 0
    for recruitment in Recruitment.objects.exclude(status__in=OVER).exclude(external_id="").select_related("account"):
        if not recruitment.orders.filter(kind="refresh", state__in=UNFINISHED).exists():
            made = {"account": recruitment.account, "recruitment": recruitment, "next_at": timezone.now()}
            queue_order(Order.objects.create(kind="refresh", **made))
            count += 1
    return count
