"""The pages of webhooks: those of a study, and those of the site. Authorization sets `request.study` for the former."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.forms import URLInput
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.option_fields import DeclaredForm
from accounts.telling import form_page, telling
from integrations.events.kinds import KINDS
from integrations.webhooks.actions.create_webhook import create_webhook
from integrations.webhooks.actions.remove_webhook import remove_webhook
from integrations.webhooks.actions.replay_delivery import replay_delivery
from integrations.webhooks.actions.set_webhook_state import set_webhook_state
from integrations.webhooks.actions.try_webhook import try_webhook
from integrations.webhooks.fields import WebhookFields
from integrations.webhooks.models import Delivery, Webhook

A_PAGE = 25


class WebhookForm(DeclaredForm):
    declared = WebhookFields
    in_form = {"url": {"required": True, "widget": URLInput(attrs={"dir": "ltr", "autocomplete": "off"})}}


@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: Any, study: str = "") -> HttpResponse:
    """The webhooks; the form makes another, whose secret is shown this once."""
    here = request.study if study else None
    form = WebhookForm(request.POST or None)
    made, secret = None, ""
    if form.is_valid():
        with telling(form):
            made, secret = create_webhook(study=here, by=request.user, **form.cleaned_data)
            form = WebhookForm()
    waiting = Count("deliveries", filter=Q(deliveries__state=Delivery.State.WAITING))
    rows = [
        {"webhook": row, "at": reverse(*_named(study, "webhook", row.pk)), "labels": _labels(row)}
        for row in Webhook.objects.filter(study=here).annotate(waiting=waiting)
    ]
    return form_page(
        request, "integrations/webhooks.html", form, webhooks=rows, made=made, secret=secret, site=not study
    )


@require_safe
def webhook(request: Any, webhook: int, study: str = "") -> HttpResponse:
    """A webhook with its deliveries, newest first."""
    row = _webhook(request, study, webhook)
    page = Paginator(row.deliveries.select_related("event"), A_PAGE).get_page(request.GET.get("page"))
    deliveries = [
        {
            "delivery": one, "label": KINDS[one.kind].label if one.event else _("A test"),
            "again": one.next_at if one.state == Delivery.State.WAITING and one.attempts else None,
            "replay": reverse(*_named(study, "webhook_replay", row.pk, one.pk)),
        }
        for one in page
    ]  # fmt: skip
    context = {
        "webhook": row, "labels": _labels(row), "page": page, "deliveries": deliveries,
        "act": reverse(*_named(study, "webhook_act", row.pk)),
    }  # fmt: skip
    return render(request, "integrations/webhook.html", context)


@require_POST
def act(request: Any, webhook: int, study: str = "") -> HttpResponse:
    """Switch it on or off, try it, or remove it."""
    row, wanted = _webhook(request, study, webhook), request.POST.get("do")
    if wanted == "remove":
        remove_webhook(webhook=row, by=request.user)
        messages.success(request, _("The webhook is removed."))
        return _to(study, "webhooks")
    with telling(request):
        if wanted in ("on", "off"):
            set_webhook_state(webhook=row, is_on=wanted == "on", by=request.user)
        elif wanted == "try":
            try_webhook(webhook=row, by=request.user)
            messages.success(request, _("The test is on its way; look again in a moment."))
    return _to(study, "webhook", row.pk)


@require_POST
def replay(request: Any, webhook: int, delivery: int, study: str = "") -> HttpResponse:
    """Send a delivery again."""
    row = _webhook(request, study, webhook)
    with telling(request):
        replay_delivery(webhook=row, delivery=get_object_or_404(row.deliveries, pk=delivery), by=request.user)
        messages.success(request, _("It is sent again; look again in a moment."))
    return _to(study, "webhook", row.pk)


def _webhook(request: Any, study: str, pk: int) -> Webhook:
    return get_object_or_404(Webhook, pk=pk, study=request.study if study else None)


def _labels(webhook: Webhook) -> list[Any]:
    return [KINDS[name].label for name in webhook.kinds if name in KINDS]


def _named(study: str, name: str, *keys: int) -> tuple[str, None, list[Any]]:
    """The arguments of `reverse` for a page of the study's webhooks, or of the site's."""
    return (f"study_{name}", None, [study, *keys]) if study else (f"site_{name}", None, list(keys))


def _to(study: str, name: str, *keys: int) -> HttpResponse:
    return redirect(reverse(*_named(study, name, *keys)))
