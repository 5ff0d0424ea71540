from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.models import Study
from foundation.errors import UserError
from foundation.options import validate_options
from integrations.outgoing import check_url
from integrations.sealed import seal
from integrations.webhooks.fields import WebhookFields
from integrations.webhooks.models import Webhook
from integrations.webhooks.permission import require_webhooks
from integrations.webhooks.signing import new_webhook_secret

MOST = 20  # webhooks of a study


@audited
@transaction.atomic
def create_webhook(*, study: Study | None, by: Any, **fields: Any) -> tuple[Webhook, str]:
    """A webhook and its secret, which is shown this once; without a study it gets the events of all."""
    require_webhooks(by, study)
    given = validate_options(WebhookFields, fields)
    check_url(given.url)
    if Webhook.objects.filter(study=study).count() >= MOST:
        raise UserError("There are {most} webhooks already; remove one first.", most=MOST)
    secret = new_webhook_secret()
    webhook = Webhook.objects.create(
        study=study, url=given.url, kinds=list(given.kinds), secret=seal(secret), made_by=by
    )
    return webhook, secret
