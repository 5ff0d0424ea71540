"""The list of a study's campaigns, the form for a new one, and the page of each."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.permissions import Can, may
from annotation.actions.adopt_rewrites import adopt_rewrites
from annotation.actions.create_campaign import create_campaign
from annotation.actions.revise_guideline import revise_guideline
from annotation.actions.set_campaign_state import FOLLOWS, set_campaign_state
from annotation.forms import CampaignForm, GuidelineForm, criteria_form
from annotation.models import Campaign
from annotation.progress import progress_by_person, progress_of, waiting_for_review
from annotation.task_types import TASK_TYPES
from foundation.errors import UserError

# The words on the button that brings a campaign into a state.
STEPS = {
    "draft": gettext_noop("Back to draft"),
    "pilot": gettext_noop("Start a pilot"),
    "open": gettext_noop("Open"),
    "paused": gettext_noop("Pause"),
    "closed": gettext_noop("Close"),
}


def campaign_of(request: Any, slug: str) -> Campaign:
    return get_object_or_404(request.study.campaigns.select_related("study", "direction"), slug=slug)


@require_safe
def study_campaigns(request: Any, study: str) -> HttpResponse:
    """All campaigns for those who run the study; for annotators those that take work."""
    staff = may(request.user, Can.VIEW_STUDY, request.study)
    campaigns = request.study.campaigns.select_related("direction")
    if not staff:
        campaigns = campaigns.filter(state__in=[Campaign.State.PILOT, Campaign.State.OPEN])
    rows = [
        {"campaign": one, "kind": TASK_TYPES[one.task_type].label, "progress": progress_of(one)} for one in campaigns
    ]
    context = {"rows": rows, "staff": staff, "may_edit": may(request.user, Can.EDIT_STUDY, request.study)}
    return render(request, "annotation/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def campaign_new(request: Any, study: str) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    form, criteria = CampaignForm(data, study=request.study), criteria_form(request.study, data)
    status = 200
    if data is not None:
        if form.is_valid() and criteria.is_valid():
            try:
                options = form.options(criteria.given())
                made = create_campaign(study=request.study, by=request.user, **options)
                return redirect("campaign", study=request.study.slug, campaign=made.slug)
            except UserError as error:
                form.add_error(None, str(error))
        status = 422
    return render(request, "annotation/new.html", {"form": form, "criteria": criteria}, status=status)


@require_safe
def campaign(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    return _show(request, campaign_of(request, campaign))


@require_POST
def state(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    found = campaign_of(request, campaign)
    wanted = request.POST.get("state", "")
    return _do(request, found, lambda: set_campaign_state(campaign=found, state=wanted, by=request.user))


@require_POST
def guideline(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    found = campaign_of(request, campaign)
    form = GuidelineForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(form.errors["text"]))
        return _show(request, found, status=422)
    return _do(request, found, lambda: revise_guideline(campaign=found, **form.cleaned_data, by=request.user))


@require_POST
def adopt(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    found = campaign_of(request, campaign)
    return _do(request, found, lambda: _adopt(request, found))


def _adopt(request: Any, found: Campaign) -> None:
    count = len(adopt_rewrites(campaign=found, by=request.user))
    messages.success(request, _("The rewrites are references now, in sets: %(count)d.") % {"count": count})


def _do(request: Any, found: Campaign, act: Any) -> HttpResponse:
    try:
        act()
    except UserError as error:
        messages.error(request, str(error))
        return _show(request, found, status=422)
    return redirect("campaign", study=request.study.slug, campaign=found.slug)


def _show(request: Any, found: Campaign, status: int = 200) -> HttpResponse:
    found.refresh_from_db()
    guidelines = list(found.guidelines.order_by("-version"))
    context = {
        "campaign": found,
        "kind": TASK_TYPES[found.task_type],
        "progress": progress_of(found),
        "people": progress_by_person(found),
        "waiting": waiting_for_review(found).count(),
        "steps": [{"state": one, "label": _(STEPS[one])} for one in FOLLOWS[found.state]],
        "criteria": found.settings.get("criteria", []),
        "guidelines": guidelines,
        "guideline_form": GuidelineForm(initial={"text": guidelines[0].text if guidelines else ""}),
        "may_edit": may(request.user, Can.EDIT_STUDY, request.study),
    }
    return render(request, "annotation/campaign.html", context, status=status)
