from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from corpora.models import Study
from foundation.options import validate_options
from integrations.recruiting.execution import queue_order
from integrations.recruiting.fields import AccountFields
from integrations.recruiting.models import Account, Order
from integrations.recruiting.service import SERVICES
from integrations.sealed import seal


@audited
@transaction.atomic
def connect_account(*, study: Study, by: Any, **fields: Any) -> Account:
    """Keep the token of an account at a crowd site, sealed, and have a worker look whether it is good."""
    given = validate_options(AccountFields, fields)
    token = SERVICES[given.site].check_token(given.token)
    account, _ = Account.objects.update_or_create(
        study=study, site=given.site,
        defaults={"token": seal(token), "sandbox": given.sandbox, "details": {}, "made_by": by},
    )  # fmt: skip
    queue_order(Order.objects.create(account=account, kind="connect", next_at=timezone.now(), made_by=by))
    return account
