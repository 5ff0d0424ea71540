"""The address to which Prolific sends changes of submissions."""

import logging
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from annotation.models import RecruitmentLink
from integrations.prolific.hooks import account_of, is_genuine, moment
from integrations.prolific.service import EVENT, STATES
from integrations.recruiting.models import Account
from integrations.recruiting.service import Seen
from integrations.recruiting.submissions import recruitment_with, take_in
from integrations.sealed import unseal

MOST = 64_000  # bytes of a hook
log = logging.getLogger(__name__)


@csrf_exempt
@require_POST
def hook(request: HttpRequest, handle: str) -> HttpResponse:
    """Take a change in: 204, whether it concerns somebody here or not; 403 where it is forged or too old."""
    account = Account.objects.filter(pk=account_of(handle) or 0, site=RecruitmentLink.Site.PROLIFIC).first()
    if account is None or not account.hook_secret or int(request.headers.get("Content-Length") or 0) > MOST:
        return HttpResponse(status=404)
    timestamp = request.headers.get("X-Prolific-Request-Timestamp", "")
    given = request.headers.get("X-Prolific-Request-Signature", "")
    if not is_genuine(unseal(account.hook_secret), timestamp, request.body, given):
        return HttpResponse(status=403)
    try:
        told = orjson.loads(request.body)
    except orjson.JSONDecodeError:
        return HttpResponse(status=400)
    if isinstance(told, dict) and told.get("event_type") == EVENT:
        _take(account, told, timestamp)
    return HttpResponse(status=204)


def _take(account: Account, told: dict[str, Any], timestamp: str) -> None:
    submission, person = str(told.get("resource_id", ""))[:100], str(told.get("participant_id", ""))[:100]
    state = STATES.get(str(told.get("status", "")))
    recruitment = recruitment_with(account, submission, person) if submission and person else None
    if recruitment is not None and state is not None:
        take_in(recruitment, Seen(submission, person, state), moment(timestamp))
