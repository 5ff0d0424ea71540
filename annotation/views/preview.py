"""A researcher sees what an annotator sees; nothing is stored."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.permissions import Can, may
from annotation.engine.annotator_context import AnnotatorContext
from annotation.engine.assignment_queue import Claim, LeasedItem
from annotation.models import Campaign
from annotation.presenters.target_style import target_of
from annotation.task_types import TASK_TYPES
from annotation.views.campaigns import campaign_of
from annotation.views.work import fields, guideline_of, has_guideline, typed
from foundation.errors import UserError


@require_safe
def preview(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    campaign_object = campaign_of(request, campaign)
    number = number_in(request.GET.get("item", "1"))
    if "expect" in request.GET and may(request.user, Can.EDIT_STUDY, request.study):
        stored = campaign_object.items.filter(number=number).values_list("expected", flat=True).first()
        return _show(request, campaign_object, number, filled=stored)
    return _show(request, campaign_object, number)


@require_POST
def preview_act(request: Any, study: str, campaign: str, act: str) -> HttpResponse:
    """Submit is checked as an annotator's would be; skip and report only go on."""
    campaign_object = campaign_of(request, campaign)
    number = number_in(request.POST.get("slot", "1"))
    if act == "submit":
        try:
            answer_of(request, campaign_object, number)
        except UserError as error:
            return refuse(request, campaign_object, number, error)
    following = number % campaign_object.size + 1
    if request.htmx:
        return _show(request, campaign_object, following)
    return redirect(reverse("campaign_preview", args=[study, campaign]) + f"?item={following}")


def answer_of(request: Any, campaign: Campaign, number: int) -> dict[str, Any]:
    """What the page's form holds, as an answer is stored; a UserError where it is none."""
    claim = claim_of(request, campaign, number)
    kind = claim.context.task_type
    return kind.restored(kind.parse(request.POST, claim.work.content, campaign.settings), claim.work.order)


def refuse(request: Any, campaign: Campaign, number: int, error: UserError) -> HttpResponse:
    """The item with all that was filled in, and what is wrong with it."""
    filled = typed(claim_of(request, campaign, number), request.POST)
    return _show(request, campaign, number, filled=filled, error=error, status=422)


def number_in(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise Http404("There is no such item.")


def claim_of(request: Any, campaign: Campaign, number: int) -> Claim:
    """The item as assignment 1 presents it, under a lease that nobody has."""
    item = campaign.items.filter(number=number).first()
    if item is None:
        raise Http404("There is no such item.")
    assignment = campaign.assignments.filter(item=item, pilot=False, number=1).first()
    order = assignment.order if assignment else TASK_TYPES[campaign.task_type].order(item.content, number, 1)
    context = AnnotatorContext(
        campaign.pk, campaign.name, campaign.state, campaign.task_type, campaign.settings, 0, [],
        campaign.guideline_version, campaign.size, 0, 0, 0, None, None, None, None, {}, None, None,
        request.user, request.study,
        submits_at_once=campaign.submits_at_once, style_descriptions=request.study.style_descriptions,
        target_style=target_of(item),
    )  # fmt: skip
    work = LeasedItem(number, UUID(int=0), timezone.now(), order, item.pk, number, None, item.content, None, 0)
    return Claim(context, work)


def _show(request: Any, campaign: Campaign, number: int, status: int = 200, **options: Any) -> HttpResponse:
    base = reverse("campaign_preview", args=[request.study.slug, campaign.slug])
    # The form's `assignment` is the item's number here, so that the address of an act says where to go on.
    context = {**fields(claim_of(request, campaign, number), base, **options), "preview": True, "slot": number}
    if may(request.user, Can.EDIT_STUDY, request.study):
        context["expect_url"] = reverse("campaign_expect", args=[request.study.slug, campaign.slug, number])
        context["explains"] = campaign.purpose == Campaign.Purpose.TRAINING
        stored = campaign.items.filter(number=number).values_list("explanation", flat=True).first()
        context["explanation"] = request.POST.get("explanation", stored)
    if request.htmx:
        return render(request, "annotation/work/fragment.html", context, status=status)
    context["guideline"] = guideline_of(campaign.pk, campaign.guideline_version)
    context["has_guideline"] = has_guideline(context["guideline"])
    return render(request, "annotation/work/page.html", context, status=status)
