from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from annotation.models import Campaign
from foundation.errors import UserError
from integrations.recruiting.execution import queue_order
from integrations.recruiting.models import Order


@audited
@transaction.atomic
def settle_order(*, campaign: Campaign, order: Order, happened: bool, by: Any) -> Order:
    """Say of an unsure order whether the site did it; if not, it is asked for again, under the same name."""
    order = Order.objects.select_for_update(of=("self",)).get(pk=order.pk)
    if order.state != Order.State.UNSURE:
        raise UserError("This order is not unsure.")
    if happened:
        order.state, order.error, order.ended_at = Order.State.DONE, "", timezone.now()
    else:
        order.state, order.attempts, order.next_at, order.ended_at = Order.State.QUEUED, 0, timezone.now(), None
        order.error = ""
        queue_order(order)
    order.save(update_fields=["state", "attempts", "next_at", "error", "ended_at"])
    return order
