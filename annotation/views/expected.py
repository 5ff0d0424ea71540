"""Expected answers: those of items that check on the work, or that people train and qualify on."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from accounts.telling import telling
from annotation.actions.set_expected import set_expected
from annotation.campaigns.expected_answers import ASKED_OF, expected_count, lacking, opening_words
from annotation.campaigns.requested import campaign_of
from annotation.models import Campaign, Item
from annotation.views import preview

A_PAGE = 50
SHOWN = {
    "": gettext_lazy("All items"),
    "kept": gettext_lazy("With an expected answer"),
    "lacking": gettext_lazy("Without one"),
}


@require_safe
def expected(request: Any, study: str, campaign: str) -> HttpResponse:
    """The items, each with its expected answer."""
    campaign_object = campaign_of(request, campaign)
    return _show(request, campaign_object)


@require_POST
def expect(request: Any, study: str, campaign: str, number: int) -> HttpResponse:
    """Keep the form's answer as the expected one of the item, or take the expected answer away."""
    campaign_object = campaign_of(request, campaign)
    item = get_object_or_404(campaign_object.items, number=number)
    if request.POST.get("act") == "remove":
        return _remove(request, campaign_object, item)
    with telling() as told:
        content = preview.answer_of(request, campaign_object, number)
        set_expected(item=item, content=content, by=request.user, explanation=request.POST.get("explanation", ""))
    if told.error:
        return preview.refuse(request, campaign_object, number, told.error)
    messages.success(request, _("Item %(number)d has its expected answer.") % {"number": number})
    return _on(request, _next(campaign_object, number))


def _remove(request: Any, campaign: Campaign, item: Item) -> HttpResponse:
    with telling(request):
        set_expected(item=item, content=None, by=request.user)
        return redirect("campaign_expected", study=request.study.slug, campaign=campaign.slug)
    return _show(request, campaign, status=422)


def _next(campaign: Campaign, number: int) -> str:
    """The next item that still needs an expected answer; else the list of all."""
    address = [campaign.study.slug, campaign.slug]
    if campaign.purpose in ASKED_OF:
        open_items = campaign.items.filter(expected__isnull=True, withdrawn=False)
        item = open_items.filter(number__gt=number).first() or open_items.first()
        if item is not None:
            return reverse("campaign_preview", args=address) + f"?item={item.number}&expect=1"
    return reverse("campaign_expected", args=address)


def _on(request: Any, address: str) -> HttpResponse:
    if not request.htmx:
        return redirect(address)
    return HttpResponse(headers={"HX-Redirect": address})


def _show(request: HttpRequest, campaign: Campaign, status: int = 200) -> HttpResponse:
    shown = request.GET.get("show", "")
    items = _filtered(campaign.items.filter(withdrawn=False).order_by("number"), shown, request.GET.get("item", ""))
    page = Paginator(items.only("number", "content", "expected", "control"), A_PAGE).get_page(request.GET.get("page"))
    context = {
        "campaign": campaign,
        "page": page,
        "rows": [{"item": item, "words": opening_words(item.content)} for item in page],
        "shown": [{"name": name, "label": label, "current": name == shown} for name, label in SHOWN.items()],
        "is_preparation": campaign.purpose in ASKED_OF,
        "lacking": lacking(campaign),
        "kept": expected_count(campaign),
    }
    return render(request, "annotation/expected.html", context, status=status)


def _filtered(items: QuerySet[Item], shown: str, number: str) -> QuerySet[Item]:
    wanted = {"kept": Q(expected__isnull=False), "lacking": Q(expected__isnull=True)}.get(shown, Q())
    if number.isascii() and number.isdigit() and len(number) < 10:
        wanted &= Q(number__gte=int(number))
    return items.filter(wanted)
