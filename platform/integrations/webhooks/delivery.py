"""Sending deliveries: each try is claimed by one process, timed, and followed by another one later where it failed."""

import time
from datetime import timedelta
from functools import partial

import orjson
from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from foundation.errors import UserError
from foundation.project import version
from foundation.translation import translatable
from integrations.events.models import Event
from integrations.events.publishing import as_told
from integrations.failures import ServiceError
from integrations.outgoing import Reply, send
from integrations.sealed import unseal
from integrations.webhooks.models import TEST, Delivery, Webhook
from integrations.webhooks.signing import signed_headers

SECONDS = 15  # that a receiver has, as the specification advises
KEPT = 1_000  # characters of an answer
READ = 8_000  # bytes of an answer
# Minutes until the next try; after the last one it has failed. The clock looks each minute.
WAITS = (1, 5, 30, 120, 300, 600, 840, 1200, 1440)
CLAIM = timedelta(seconds=4 * SECONDS)
GONE, BUSY, REDIRECTS = 410, frozenset({429, 502, 503, 504}), frozenset({301, 302, 303, 307, 308})
TASK = "integrations.webhooks.tasks.deliver"
WHY_GONE = translatable("The receiver says that it is gone (410).")
WHY_LATE = translatable("Nothing was delivered for days.")
AT_ONCE = 200  # deliveries of a look of the clock


def fan_out(events: list[Event]) -> None:
    """A delivery of each event for each webhook that wants it; sent when the transaction is committed."""
    studies = {one.study_id for one in events}
    hooks = list(Webhook.objects.filter(Q(study=None) | Q(study__in=studies), is_on=True))
    now = timezone.now()
    wanted = [
        Delivery(webhook=hook, event=event, next_at=now)
        for event in events for hook in hooks
        if hook.study_id in (None, event.study_id) and (not hook.kinds or event.kind in hook.kinds)
    ]  # fmt: skip
    for delivery in Delivery.objects.bulk_create(wanted):
        queue_delivery(delivery)


def queue_delivery(delivery: Delivery) -> None:
    transaction.on_commit(partial(_send_task, delivery.pk), robust=True)


def _send_task(pk: int) -> None:
    """Without Redis the clock finds it within a minute."""
    try:
        current_app.send_task(TASK, args=[pk], expires=60, retry=False)
    except OperationalError:
        return


def due_deliveries() -> list[int]:
    """The keys of what has to be sent now."""
    due = Delivery.objects.filter(state=Delivery.State.WAITING, next_at__lte=timezone.now(), webhook__is_on=True)
    return list(due.order_by("next_at").values_list("pk", flat=True)[:AT_ONCE])


def deliver(pk: int) -> None:
    """Try once, where it is due and no other process is at it."""
    now = timezone.now()
    due = Delivery.objects.filter(pk=pk, state=Delivery.State.WAITING, next_at__lte=now, webhook__is_on=True)
    if not due.update(next_at=now + CLAIM, attempts=F("attempts") + 1, tried_at=now):
        return
    delivery = Delivery.objects.select_related("webhook", "event__study").get(pk=pk)
    began, reply = time.monotonic(), None
    try:
        reply = _post(delivery)
        error, permanent = _refusal(reply), False
    except ServiceError as failure:
        error, permanent = failure.sentence, failure.permanent
    except UserError as refusal:  # the address is refused by now, or the secret cannot be read
        error, permanent = refusal.sentence, True
    _write(delivery, reply, error, permanent, time.monotonic() - began)


def message_of(delivery: Delivery) -> bytes:
    """The body of a delivery; that of an event is the same at each try."""
    if delivery.event is not None:
        return orjson.dumps(as_told(delivery.event))
    study = delivery.webhook.study
    told = {"type": TEST, "timestamp": delivery.made_at.isoformat(), "data": {"study": study.slug if study else None}}
    return orjson.dumps(told)


def _secret_of(webhook: Webhook) -> str:
    """The site draws a webhook's secret, so nobody can enter it again, as they can a token of another service."""
    try:
        return unseal(webhook.secret)
    except UserError:
        raise UserError(
            "The site's key was changed, so this webhook's secret cannot be read: remove the webhook, create it again, "
            "and give its new secret to the receiver."
        ) from None


def _post(delivery: Delivery) -> Reply:
    body, secret = message_of(delivery), _secret_of(delivery.webhook)
    headers = {
        "Content-Type": "application/json", "User-Agent": f"Restyle/{version()}",
        **signed_headers(secret, delivery.message_id, int(time.time()), body),
    }  # fmt: skip
    return send("POST", delivery.webhook.url, headers=headers, body=body, seconds=SECONDS, most=READ)


def _refusal(reply: Reply) -> str:
    """Why an answer is no delivery; "" where it is one."""
    if 200 <= reply.status < 300:
        return ""
    if reply.status in REDIRECTS:
        return translatable("The receiver sends on to another address, where nothing is sent: name that address here.")
    return translatable("The receiver did not take it.")


@transaction.atomic
def _write(delivery: Delivery, reply: Reply | None, error: str, permanent: bool, seconds: float) -> None:
    webhook = Webhook.objects.select_for_update().filter(pk=delivery.webhook_id).first()
    if webhook is None:  # it was removed meanwhile
        return
    delivery.status = reply.status if reply else None
    delivery.response = reply.body.decode(errors="replace").replace("\0", "")[:KEPT] if reply else ""
    delivery.error, delivery.milliseconds = error[:300], round(1000 * seconds)
    gone = reply is not None and reply.status == GONE
    if not error:
        delivery.state, delivery.next_at = Delivery.State.DELIVERED, None
    elif permanent or gone or delivery.attempts > len(WAITS):
        delivery.state, delivery.next_at = Delivery.State.FAILED, None
    else:
        delivery.next_at = timezone.now() + _wait(delivery.attempts, reply)
    delivery.save(update_fields=["status", "response", "error", "milliseconds", "state", "next_at"])
    _judge(webhook, failed=bool(error), gone=gone)


def _wait(attempts: int, reply: Reply | None) -> timedelta:
    """Until the next try: as the table says, or longer where a busy receiver asks for it, up to a day."""
    wait = timedelta(minutes=WAITS[attempts - 1])
    asked = reply.headers.get("retry-after", "") if reply is not None and reply.status in BUSY else ""
    if asked.isascii() and asked.isdigit() and len(asked) < 7:
        wait = max(wait, min(timedelta(seconds=int(asked)), timedelta(days=1)))
    return wait


def _judge(webhook: Webhook, *, failed: bool, gone: bool) -> None:
    """Note since when nothing is taken, and switch off what takes nothing for days, or says that it is gone (410)."""
    now = timezone.now()
    since = (webhook.failing_since or now) if failed else None
    late = since is not None and since < now - timedelta(days=settings.WEBHOOK_DAYS)
    if gone or late:
        webhook.is_on, webhook.disabled_at = False, now
        webhook.why = WHY_GONE if gone else WHY_LATE
    elif since == webhook.failing_since:
        return
    webhook.failing_since = since
    webhook.save(update_fields=["is_on", "disabled_at", "why", "failing_since"])
