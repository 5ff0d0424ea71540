"""The annotator's page as a researcher previews it; nothing is stored."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.permissions import Can, may
from accounts.telling import telling
from annotation.campaigns.requested import campaign_of, number_in
from annotation.models import Campaign
from annotation.presenters.answers import claim_of
from annotation.views.work import fields, guideline_of, has_guideline, typed
from foundation.errors import UserError


@require_safe
def preview(request: Any, study: str, campaign: str) -> HttpResponse:
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
        with telling() as told:
            answer_of(request, campaign_object, number)
        if told.error:
            return refuse(request, campaign_object, number, told.error)
    following = number % campaign_object.size + 1
    if request.htmx:
        return _show(request, campaign_object, following)
    return redirect(reverse("campaign_preview", args=[study, campaign]) + f"?item={following}")


def answer_of(request: Any, campaign: Campaign, number: int) -> dict[str, Any]:
    """The values of the page's form, as an answer is stored; a UserError where they are none."""
    claim = claim_of(request, campaign, number)
    kind = claim.context.task_type
    return kind.restored(kind.parse(request.POST, claim.item.content, campaign.settings), claim.item.order)


def refuse(request: Any, campaign: Campaign, number: int, error: UserError) -> HttpResponse:
    """The item with all that was filled in, and the error in it."""
    filled = typed(claim_of(request, campaign, number), request.POST)
    return _show(request, campaign, number, filled=filled, error=error, status=422)


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
