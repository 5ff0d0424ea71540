"""What the work page asks for in the background: the next items before they are needed, and answers that waited."""

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.actions.hand_in import hand_in
from annotation.actions.lease_ahead import give_back_ahead, lease_ahead
from annotation.blinding import Kind, browser_handle, handle_of, named_row
from annotation.engine.assignment_queue import Claim
from annotation.engine.leases_ahead import LONGEST_MINUTES
from annotation.models import Campaign
from annotation.views.held_item import read_held, read_page, read_replaces
from annotation.views.work import fields
from foundation.errors import UserError


@require_POST
def ahead(request: Any, study: str, campaign: str) -> HttpResponse:
    """The items that the person has ahead, as the page shows them one after the other; `renew`: seconds until asked."""
    try:
        context, works = lease_ahead(study=request.study, campaign=campaign, person=request.user)
    except Campaign.DoesNotExist:
        raise Http404 from None
    base = reverse("campaign_work", args=[study, campaign])
    items = []
    for place, work in enumerate(works, 1):
        claim = Claim(replace(context, done=context.done + place), work)
        page = {**fields(claim, base), "no_messages": True}
        html = render_to_string("annotation/work/fragment.html", page, request)
        items.append({"slot": handle_of(Kind.ASSIGNMENT, work.assignment, request.user.pk), "html": html})
    return JsonResponse({"items": items, "renew": 60 * min(LONGEST_MINUTES, context.lease_minutes) / 3})


@require_POST
def give_back(request: Any, study: str, campaign: str) -> HttpResponse:
    """The page is left, and never showed the items of these handles."""
    only = [named_row(Kind.ASSIGNMENT, handle, request.user.pk) for handle in request.POST.getlist("slot")]
    try:
        give_back_ahead(study=request.study, campaign=campaign, person=request.user, only=only)
    except Campaign.DoesNotExist:
        raise Http404 from None
    return HttpResponse(status=204)


@require_POST
def send(request: Any, study: str, campaign: str) -> HttpResponse:
    """Take an answer that waited in the browser, without showing what comes next; 422 where it is not taken."""
    get_object_or_404(request.study.campaigns, slug=campaign)
    if request.POST.get("person") != browser_handle(request.user.pk):  # somebody else signed in in another tab
        return HttpResponse(status=409)
    page = {"study": request.study, "campaign": campaign, "person": request.user}
    try:
        given = {**page, **read_held(request), **read_page(request.POST)}
        submission = hand_in(**given, replaces=read_replaces(request.POST), form=request.POST)
    except UserError as error:
        return JsonResponse({"detail": str(error)}, status=422)
    said = _("The time for an item had run out. Your work is kept for a reviewer.") if submission.late else ""
    return JsonResponse({"late": said})
