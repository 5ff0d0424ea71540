from typing import Any

from django.db import transaction

from accounts.audit import audited
from integrations.webhooks.models import Webhook
from integrations.webhooks.permission import require_webhooks


@audited
@transaction.atomic
def set_webhook_state(*, webhook: Webhook, is_on: bool, by: Any) -> Webhook:
    """Switch it off or on; what waited meanwhile is then sent, what happened meanwhile is not."""
    require_webhooks(by, webhook.study)
    webhook.is_on = is_on
    webhook.failing_since = webhook.disabled_at = None
    webhook.why = ""
    webhook.save(update_fields=["is_on", "failing_since", "disabled_at", "why"])
    return webhook
