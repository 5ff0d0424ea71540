from typing import Any

from django.db import transaction

from accounts.audit import audited
from integrations.webhooks.models import Webhook
from integrations.webhooks.permission import require_webhooks


@audited
@transaction.atomic
def remove_webhook(*, webhook: Webhook, by: Any) -> None:
    """Remove it with its deliveries; what waits is not sent."""
    require_webhooks(by, webhook.study)
    webhook.delete()
