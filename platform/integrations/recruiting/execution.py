"""Doing orders: a worker claims each, asks the site, and notes the outcome; lost answers are not asked for blindly."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError

from foundation.errors import UserError
from foundation.translation import translatable
from integrations.failures import ServiceError
from integrations.recruiting.models import Order, Recruitment, Submission
from integrations.recruiting.service import SERVICES, Bonus, CrowdService
from integrations.recruiting.submissions import take_in

TASK = "integrations.recruiting.tasks.do_order"
WAITS = (1, 2, 5, 15, 30, 60)  # minutes between tries
CLAIM = timedelta(minutes=10)
ONCE = frozenset({"bonus", "message"})  # the site might do these twice
State = Order.State


def queue_order(order: Order) -> None:
    transaction.on_commit(partial(_send, order.pk), robust=True)


def _send(pk: int) -> None:
    """Without Redis the clock finds it within a minute."""
    try:
        current_app.send_task(TASK, args=[pk], expires=60, retry=False)
    except OperationalError:
        return


def due_orders() -> list[int]:
    """The keys of orders to do now, those of workers that were lost too."""
    due = Order.objects.filter(state__in=[State.QUEUED, State.RUNNING], next_at__lte=timezone.now())
    return list(due.order_by("pk").values_list("pk", flat=True)[:100])


def do_order(pk: int) -> None:
    """Do it, where it is due and nobody else is at it. One that may have been done by a lost worker is unsure."""
    now = timezone.now()
    lost = Order.objects.filter(pk=pk, state=State.RUNNING, next_at__lte=now, kind__in=ONCE)
    lost.update(state=State.UNSURE, ended_at=now, error=LOST)
    due = Order.objects.filter(Q(state=State.QUEUED) | Q(state=State.RUNNING), pk=pk, next_at__lte=now)
    if not due.update(state=State.RUNNING, next_at=now + CLAIM, attempts=F("attempts") + 1):
        return
    order = Order.objects.select_related("account__study", "recruitment__recruitment_link__campaign__study").get(pk=pk)
    try:
        result = HANDLERS[order.kind](SERVICES[order.account.site], order) or {}
    except ServiceError as failure:
        _failed(order, failure)
    except UserError as refusal:
        _end(order, State.FAILED, error=refusal.sentence)
    else:
        _end(order, State.DONE, result=order.result | result)


LOST = translatable("The answer was lost: look at the site whether it happened.")


def _failed(order: Order, failure: ServiceError) -> None:
    if failure.permanent:
        _end(order, State.FAILED, error=failure.sentence)
    elif order.kind in ONCE and failure.status is None and order.result.get("asked"):
        _end(order, State.UNSURE, error=LOST)
    elif order.attempts > len(WAITS):
        _end(order, State.FAILED, error=failure.sentence)
    else:
        wait = max(60 * WAITS[order.attempts - 1], min(failure.after or 0, 86_400))
        order.state, order.next_at = State.QUEUED, timezone.now() + timedelta(seconds=wait)
        order.error = failure.sentence[:500]
        order.save(update_fields=["state", "next_at", "error", "result"])


def _end(order: Order, state: str, *, error: str = "", result: dict[str, Any] | None = None) -> None:
    order.state, order.error, order.ended_at, order.next_at = state, error[:500], timezone.now(), None
    order.result = order.result if result is None else result
    order.save(update_fields=["state", "error", "ended_at", "next_at", "result"])


def _of(order: Order) -> Recruitment:
    assert order.recruitment is not None
    return order.recruitment


def _connect(service: CrowdService, order: Order) -> None:
    account = order.account
    account.details = {**account.details, **service.connect(account)}
    account.save(update_fields=["details", "hook_secret"])


def _draft(service: CrowdService, order: Order) -> None:
    recruitment = _of(order)
    address = settings.SITE_URL + reverse("crowd_enter", args=[recruitment.recruitment_link.secret])
    recruitment.external_id = recruitment.external_id or service.draft(recruitment, address)
    recruitment.status = service.status(recruitment)
    recruitment.save(update_fields=["external_id", "status"])


def _publish(service: CrowdService, order: Order) -> None:
    _set_status(_of(order), service.publish(_of(order)))


def _stop(service: CrowdService, order: Order) -> None:
    _set_status(_of(order), service.stop(_of(order)))


def _refresh(service: CrowdService, order: Order) -> None:
    refresh(service, _of(order))


def refresh(service: CrowdService, recruitment: Recruitment) -> None:
    """Take in the status and all submissions, as of the moment before they were asked for."""
    at = timezone.now()
    for seen in service.submissions(recruitment):
        take_in(recruitment, seen, at)
    _set_status(recruitment, service.status(recruitment))
    Recruitment.objects.filter(pk=recruitment.pk).update(seen_at=at)


def _set_status(recruitment: Recruitment, status: str) -> None:
    recruitment.status = status
    recruitment.save(update_fields=["status", "external_id"])


def _chosen(order: Order) -> list[Submission]:
    return list(_of(order).submissions.filter(pk__in=order.arguments["submissions"]).exclude(external_id=""))


def _approve(service: CrowdService, order: Order) -> None:
    service.approve(_of(order), _chosen(order))
    refresh(service, _of(order))


def _reject(service: CrowdService, order: Order) -> None:
    for submission in _chosen(order):
        service.reject(_of(order), submission, order.arguments["reason"], order.arguments.get("category", ""))
    refresh(service, _of(order))


def _screen_out(service: CrowdService, order: Order) -> None:
    for submission in _chosen(order):
        service.screen_out(_of(order), submission)
    refresh(service, _of(order))


def _bonus(service: CrowdService, order: Order) -> None:
    """Announce, note the name, and pay under that name; `asked` says that the pay was asked for at least once."""
    amounts = {int(key): amount for key, amount in order.arguments["bonuses"].items()}
    rows = _of(order).submissions.filter(pk__in=amounts).exclude(external_id="")
    bonuses = [Bonus(row, amounts[row.pk], f"{order.pk}-{row.pk}") for row in rows]
    if "prepared" not in order.result:
        _note(order, prepared=service.prepare_bonuses(_of(order), bonuses))
    _note(order, asked=True)
    service.pay_bonuses(_of(order), bonuses, order.result["prepared"])


def _message(service: CrowdService, order: Order) -> None:
    _note(order, asked=True)
    service.message(_of(order), [one.person_id_there for one in _chosen(order)], order.arguments["text"])


def _note(order: Order, **result: Any) -> None:
    order.result = {**order.result, **result}
    order.save(update_fields=["result"])


HANDLERS: dict[str, Callable[[CrowdService, Order], dict[str, Any] | None]] = {
    "connect": _connect, "draft": _draft, "publish": _publish, "stop": _stop, "refresh": _refresh, "approve": _approve,
    "reject": _reject, "screen_out": _screen_out, "bonus": _bonus, "message": _message,
}  # fmt: skip
