from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from foundation.errors import UserError
from integrations.webhooks.delivery import queue_delivery
from integrations.webhooks.models import Delivery, Webhook
from integrations.webhooks.permission import require_webhooks


@audited
@transaction.atomic
def replay_delivery(*, webhook: Webhook, delivery: Delivery, by: Any) -> Delivery:
    """Send a message again, under its own id, with all its tries before it."""
    require_webhooks(by, webhook.study)
    if not webhook.is_on:
        raise UserError("The webhook is off; switch it on first.")
    delivery = Delivery.objects.select_for_update().get(pk=delivery.pk, webhook=webhook)
    delivery.state, delivery.attempts, delivery.next_at = Delivery.State.WAITING, 0, timezone.now()
    delivery.save(update_fields=["state", "attempts", "next_at"])
    queue_delivery(delivery)
    return delivery
