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
from annotation.task_types import TASK_TYPES
from annotation.views.campaigns import campaign_of
from annotation.views.work import fields, typed
from foundation.errors import UserError


@require_safe
def preview(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    found = campaign_of(request, campaign)
    number = number_in(request.GET.get("item", "1"))
    if "expect" in request.GET and may(request.user, Can.EDIT_STUDY, request.study):
        stored = found.items.filter(number=number).values_list("expected", flat=True).first()
        return _show(request, found, number, filled=stored)
    return _show(request, found, number)


@require_POST
def preview_act(request: Any, study: str, campaign: str, act: str) -> HttpResponse:
    """Submit is checked as an annotator's would be; skip and report only go on."""
    found = campaign_of(request, campaign)
    number = number_in(request.POST.get("slot", "1"))
    if act == "submit":
        try:
            answer_of(request, found, number)
        except UserError as error:
            return refuse(request, found, number, error)
    following = number % found.size + 1
    if request.htmx:
        return _show(request, found, following)
    return redirect(reverse("campaign_preview", args=[study, campaign]) + f"?item={following}")


def answer_of(request: Any, found: Campaign, number: int) -> dict[str, Any]:
    """What the page's form holds, as an answer is stored; a UserError where it is none."""
    claim = claim_of(request, found, number)
    kind = claim.context.task_type
    return kind.restored(kind.parse(request.POST, claim.work.content, found.settings), claim.work.order)


def refuse(request: Any, found: Campaign, number: int, error: UserError) -> HttpResponse:
    """The item with all that was filled in, and what is wrong with it."""
    filled = typed(claim_of(request, found, number), request.POST)
    return _show(request, found, number, filled=filled, error=error, status=422)


def number_in(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise Http404("There is no such item.")


def claim_of(request: Any, found: Campaign, number: int) -> Claim:
    """The item as assignment 1 presents it, under a lease that nobody has."""
    item = found.items.filter(number=number).first()
    if item is None:
        raise Http404("There is no such item.")
    assignment = found.assignments.filter(item=item, pilot=False, number=1).first()
    order = assignment.order if assignment else TASK_TYPES[found.task_type].order(item.content, number, 1)
    context = AnnotatorContext(
        found.pk, found.name, found.state, found.task_type, found.settings, 0, [], found.guideline_version, found.size,
        0, 0, 0, None, None, None, None, {}, None, None, request.user, request.study,
    )  # fmt: skip
    work = LeasedItem(number, UUID(int=0), timezone.now(), order, item.pk, number, item.content, None, 0)
    return Claim(context, work)


def _show(request: Any, found: Campaign, number: int, status: int = 200, **options: Any) -> HttpResponse:
    base = reverse("campaign_preview", args=[request.study.slug, found.slug])
    # The form's `assignment` is the item's number here, so that the address of an act says where to go on.
    context = {**fields(claim_of(request, found, number), base, **options), "preview": True, "slot": number}
    if may(request.user, Can.EDIT_STUDY, request.study):
        context["expect_url"] = reverse("campaign_expect", args=[request.study.slug, found.slug, number])
    if request.htmx:
        return render(request, "annotation/work/fragment.html", context, status=status)
    context["guideline"] = found.guidelines.filter(version=found.guideline_version).first()
    return render(request, "annotation/work/page.html", context, status=status)
