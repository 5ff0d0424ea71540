"""The pages of recruiting: accounts and recruitments of a campaign, one of these, and the press that orders."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.telling import form_page, go_on, telling
from annotation.campaigns.requested import campaign_of
from integrations.recruiting.actions.connect_account import connect_account
from integrations.recruiting.actions.draft_recruitment import draft_recruitment
from integrations.recruiting.actions.order_recruitment import order_recruitment
from integrations.recruiting.actions.settle_order import settle_order
from integrations.recruiting.costs import cost_of, refuse_unfit
from integrations.recruiting.fields import KINDS
from integrations.recruiting.forms import AccountForm, OrderForm, RecruitmentForm
from integrations.recruiting.models import Account, Recruitment
from integrations.recruiting.money import shown
from integrations.recruiting.presenters import account_row, is_busy, submission_rows
from integrations.recruiting.service import SERVICES
from integrations.recruiting.suggestion import suggested
from integrations.recruiting.words import QUESTIONS, VERBS, order_label

A_PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
def campaign_recruiting(request: Any, study: str, campaign: str) -> HttpResponse:
    """The study's accounts at crowd sites, and what the campaign put up there; the forms add to both."""
    campaign_object = campaign_of(request, campaign)
    accounts = list(Account.objects.filter(study=request.study))
    doing = request.POST.get("do") if request.method == "POST" else ""
    account_form = AccountForm(request.POST if doing == "connect" else None)
    form = RecruitmentForm(
        request.POST if doing == "draft" else None, campaign=campaign_object, sites=[one.site for one in accounts],
        initial=suggested(campaign_object),
    )  # fmt: skip
    if doing == "connect" and account_form.is_valid():
        with telling(account_form):
            connect_account(study=request.study, by=request.user, **account_form.cleaned_data)
            said = _("The account is looked at; look again in a moment.")
            return go_on(request, said, "campaign_recruiting", study, campaign)
    if doing == "draft" and form.is_valid():
        with telling(form):
            made = draft_recruitment(campaign=campaign_object, by=request.user, **form.given())
            return go_on(request, _("The draft is on its way to the site."), "recruitment", study, campaign, made.pk)
    context = {
        "campaign": campaign_object, "accounts": [account_row(one) for one in accounts],
        "recruitments": _of(campaign_object), "account_form": account_form,
    }  # fmt: skip
    return form_page(request, "integrations/campaign_recruiting.html", account_form if doing == "connect" else form,
                     **context | {"draft_form": form})  # fmt: skip


@require_safe
def recruitment(request: Any, study: str, campaign: str, recruitment: int) -> HttpResponse:
    """A recruitment with its submissions beside the ledger, and what was ordered; it asks for itself while it works."""
    busy = is_busy(recruitment)  # asked before what it changes is read: the last look shows the outcome
    row = _recruitment(request, campaign, recruitment)
    page = Paginator(row.submissions.select_related("participant__person"), A_PAGE).get_page(request.GET.get("page"))
    service = SERVICES[row.account.site]
    orders = row.orders.exclude(kind="refresh").select_related("made_by", "recruitment")
    context = {
        "campaign": row.recruitment_link.campaign, "recruitment": row, "page": page, "service": service,
        "rows": submission_rows(row, list(page)), "busy": busy,
        "reward": shown(row.reward, row.currency), "screen_out": shown(row.screen_out_reward, row.currency),
        "total": shown(row.places * row.reward, row.currency),
        "orders": [(one, order_label(one)) for one in orders[:20]],
    }  # fmt: skip
    return render(
        request, "integrations/_recruitment.html" if request.htmx else "integrations/recruitment.html", context
    )


@require_POST
def order(request: Any, study: str, campaign: str, recruitment: int) -> HttpResponse:
    """First what the order costs, and what it has to be told; with that `total`, the order."""
    row, kind = _recruitment(request, campaign, recruitment), request.POST.get("kind", "")
    keys = [int(key) for key in request.POST.getlist("submissions") if key.isascii() and key.isdigit()]
    back = redirect("recruitment", study, campaign, row.pk)
    total = request.POST.get("total", "0" if kind in ("refresh", "stop") else "")
    form = OrderForm(request.POST if "total" in request.POST else None, kind=kind, recruitment=row)
    if total.isascii() and total.isdigit() and len(total) < 12 and (not form.fields or form.is_valid()):
        given = form.cleaned_data if form.fields else {}
        with telling(form if form.fields else request):
            order_recruitment(
                campaign=row.recruitment_link.campaign, recruitment=row, by=request.user, submissions=keys, order=kind,
                total=int(total), **given,
            )  # fmt: skip
            messages.success(request, _("It is on its way to the site."))
            return back
        if not form.fields:
            return back
    return _ask(request, row, kind, keys, form) or back


@require_POST
def settle(request: Any, study: str, campaign: str, recruitment: int, order: int) -> HttpResponse:
    """Say whether an unsure order happened."""
    row = _recruitment(request, campaign, recruitment)
    with telling(request):
        settle_order(
            campaign=row.recruitment_link.campaign, order=get_object_or_404(row.orders, pk=order), by=request.user,
            happened=request.POST.get("happened") == "yes",
        )  # fmt: skip
    return redirect("recruitment", study, campaign, row.pk)


def _ask(request: Any, row: Recruitment, kind: str, keys: list[int], form: OrderForm) -> HttpResponse | None:
    """The page that names the cost and asks; None, with a message, where the order does not fit."""
    chosen = list(row.submissions.filter(pk__in=keys))
    with telling(request) as told:
        if kind in KINDS:
            refuse_unfit(row, kind, chosen)
    if told.error or kind not in KINDS:
        return None
    cost = cost_of(row, kind, chosen)
    context = {
        "campaign": row.recruitment_link.campaign, "recruitment": row, "kind": kind, "submissions": chosen,
        "cost": cost, "shown_cost": shown(cost, row.currency) if cost else "", "verb": VERBS[kind],
        "question": QUESTIONS[kind],
    }  # fmt: skip
    return form_page(request, "integrations/recruitment_ask.html", form, **context)


def _of(campaign: Any) -> Any:
    found = Recruitment.objects.filter(recruitment_link__campaign=campaign)
    return found.select_related("recruitment_link", "account")


def _recruitment(request: Any, campaign: str, pk: int) -> Recruitment:
    found: Recruitment = get_object_or_404(_of(campaign_of(request, campaign)).select_related(
        "recruitment_link__campaign__study", "account"), pk=pk)  # fmt: skip
    return found
