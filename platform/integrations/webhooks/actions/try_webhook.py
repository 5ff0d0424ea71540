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
def try_webhook(*, webhook: Webhook, by: Any) -> Delivery:
    """Send it a message that is no event."""
    require_webhooks(by, webhook.study)
    if not webhook.is_on:
        raise UserError("The webhook is off; switch it on first.")
    delivery = Delivery.objects.create(webhook=webhook, next_at=timezone.now())
    queue_delivery(delivery)
    return delivery
