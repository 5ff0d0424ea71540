"""The list of a study's campaigns, the page of each with its buttons, and the forms that make and change one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.permissions import Can, may
from accounts.telling import telling
from annotation.actions.adopt_gold import Adopted, adopt_gold, adoptable, take_back_gold
from annotation.actions.adopt_screening import adopt_screening
from annotation.actions.build_campaign import build_campaign
from annotation.actions.create_campaign import create_campaign
from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.grow_campaign import RUNNING, grow_campaign
from annotation.actions.remove_campaign import remove_campaign
from annotation.actions.revise_guideline import revise_guideline
from annotation.actions.set_campaign_state import FOLLOWS, set_campaign_state
from annotation.campaigns.expected_answers import ASKED_OF, expected_count, lacking
from annotation.campaigns.requested import campaign_of
from annotation.forms import CampaignForm, EditCampaignForm, GuidelineForm, criteria_form
from annotation.forms.campaign import GrowthForm, with_example
from annotation.forms.gold import AdoptionForm, RawAnswersForm
from annotation.models import Campaign, Guideline
from annotation.progress.counts import (
    Progress,
    answers_by_version,
    paused_in,
    progress_by_person,
    progress_of,
    progress_of_all,
    waiting_for_review,
    waiting_in_all,
)
from annotation.progress.pace import Pace, answers_by_day, paces
from annotation.task_types import TASK_TYPES
from corpora.splits import left_out_message
from corpora.views.trash import tell_removed
from foundation.errors import UserError, first_five
from foundation.translation import grouped
from foundation.word_diff import GONE, NEW, line_diff

# The stages of a study's campaigns, as the picture of the list draws them.


@dataclass
class Stage:
    """A campaign in the picture, and the stages that take what it makes."""

    campaign: Campaign
    kind: Any
    progress: Progress
    waiting: int
    asks_for: str  # the name of the campaign that must be passed first
    pace: Pace
    after: list["Stage"] = field(default_factory=list)

    @property
    def takes(self) -> str:
        """The work that it takes of the stage before; "" where that is simply the accepted work."""
        plain = self.campaign.after_id is None or self.campaign.takes == Campaign.Takes.ACCEPTED
        return "" if plain else self.campaign.get_takes_display()

    @property
    def is_preparation(self) -> bool:
        return self.campaign.purpose in ASKED_OF


def chains(campaigns: Sequence[Campaign], among: Sequence[Campaign] = ()) -> list[Stage]:
    """The first stages, each with those after it. A campaign whose predecessor is not among them is a first stage.

    `among` are all campaigns of the study, where these are not: they name the campaign that a stage asks for. Three
    queries, however many campaigns.
    """
    stages = _stages(campaigns, {campaign.slug: campaign.name for campaign in among or campaigns})
    for campaign in campaigns:
        if campaign.after_id in stages:
            stages[campaign.after_id].after.append(stages[campaign.pk])
    return [stages[campaign.pk] for campaign in campaigns if campaign.after_id not in stages]


def chain_of(campaign: Campaign) -> list[Stage]:
    """The chain that a campaign is part of; empty where it stands alone."""
    everything = list(campaign.study.campaigns.select_related("direction"))
    own = _connected(campaign, everything)
    return chains(own, everything) if len(own) > 1 else []


def _connected(campaign: Campaign, everything: list[Campaign]) -> list[Campaign]:
    before = {campaign.pk: campaign.after_id for campaign in everything}
    first = _first_of(campaign.pk, before)
    return [campaign for campaign in everything if _first_of(campaign.pk, before) == first]


def _first_of(key: int, before: dict[int, Any]) -> int:
    for _step in before:  # no chain is longer
        if not before.get(key):
            break
        key = before[key]
    return key


def _stages(campaigns: Sequence[Campaign], names: dict[str, str]) -> dict[int, Stage]:
    progress, waiting = progress_of_all(campaigns), waiting_in_all(campaigns)
    pace = paces({campaign: progress[campaign.pk].left for campaign in campaigns})
    return {
        campaign.pk: Stage(
            campaign=campaign,
            kind=TASK_TYPES[campaign.task_type],
            progress=progress[campaign.pk],
            waiting=waiting.get(campaign.pk, 0),
            asks_for=names.get(asked := _asked(campaign), asked),
            pace=pace[campaign.pk],
        )
        for campaign in campaigns
    }


def _asked(campaign: Campaign) -> str:
    return (campaign.eligibility.get("qualification") or {}).get("campaign", "")


STARTS = (Campaign.State.PILOT, Campaign.State.OPEN)
# The words on the button that brings a campaign into a state.
STEPS = {
    "draft": gettext_lazy("Back to draft"),
    "pilot": gettext_lazy("Start a pilot"),
    "open": pgettext_lazy("button", "Open"),
    "paused": gettext_lazy("Pause"),
    "closed": gettext_lazy("Close"),
}


@require_safe
def study_campaigns(request: Any, study: str) -> HttpResponse:
    """All campaigns for those who run the study; for annotators those that take work."""
    staff = may(request.user, Can.VIEW_STUDY, request.study)
    campaigns = request.study.campaigns.select_related("direction")
    if not staff:
        campaigns = campaigns.filter(state__in=[Campaign.State.PILOT, Campaign.State.OPEN])
    context = {
        "chains": chains(list(campaigns)),
        "staff": staff,
        "may_edit": may(request.user, Can.EDIT_STUDY, request.study),
        "may_export": may(request.user, Can.EXPORT, request.study),
        "may_invite": may(request.user, Can.MANAGE_MEMBERS, request.study),
    }
    return render(request, "annotation/list.html", context)


@require_safe
def campaign(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    return _show(request, campaign_of(request, campaign))


def button(act: Callable[[Any, Campaign], object]) -> Callable[..., HttpResponse]:
    """The view of a button of a campaign's page: it acts, and the page tells the result or the error."""

    @require_POST
    @wraps(act)
    def view(request: Any, study: str, campaign: str) -> HttpResponse:
        campaign_object = campaign_of(request, campaign)
        with telling(request):
            act(request, campaign_object)
            return redirect("campaign", study=study, campaign=campaign)
        return _show(request, campaign_object, status=422)

    return view


def _read(form: Form) -> None:
    """Read a small form of the page; a UserError says all that is wrong in it."""
    if not form.is_valid():
        raise UserError(" ".join(str(one) for errors in form.errors.values() for one in errors))


@button
def state(request: Any, campaign: Campaign) -> None:
    set_campaign_state(campaign=campaign, state=request.POST.get("state", ""), by=request.user)


@button
def build(request: Any, campaign: Campaign) -> None:
    build_campaign(campaign=campaign, by=request.user)


@button
def grow(request: Any, campaign: Campaign) -> None:
    """Further texts and more people an item, while it runs."""
    _read(form := GrowthForm(request.POST, campaign=campaign))
    grown = grow_campaign(campaign=campaign, **form.asked(), by=request.user)
    said = _("New items: %(items)s. New work: %(assignments)s answers.")
    messages.success(request, said % {"items": grouped(grown.items), "assignments": grouped(grown.assignments)})


@button
def guideline(request: Any, campaign: Campaign) -> None:
    _read(form := GuidelineForm(request.POST))
    revise_guideline(campaign=campaign, **form.cleaned_data, by=request.user)


@button
def adopt(request: Any, campaign: Campaign) -> None:
    _read(form := AdoptionForm(request.POST, campaign=campaign))
    adopted = adopt_gold(campaign=campaign, **form.asked(), by=request.user)
    counts = {"references": grouped(adopted.references), "sets": len(adopted.sets), "sources": grouped(adopted.sources)}
    said = _("References: %(references)s in %(sets)s sets. New sources: %(sources)s.")
    messages.success(request, said % counts)
    _tell_rest(request, adopted)


@button
def take_back(request: Any, campaign: Campaign) -> None:
    adopted = take_back_gold(campaign=campaign, by=request.user)
    counts = {"references": grouped(adopted.references), "sources": grouped(adopted.taken_back)}
    messages.success(request, _("Removed: %(references)s references and %(sources)s sources.") % counts)
    _tell_rest(request, adopted._replace(taken_back=0, references_taken_back=0))


@button
def adopt_decisions(request: Any, campaign: Campaign) -> None:
    """Adopt the decisions of a screening; ties are named."""
    adopted = adopt_screening(campaign=campaign, by=request.user)
    counts = {"questions": adopted.questions, "documents": adopted.documents}
    messages.success(request, _("Chosen now: %(questions)d questions and %(documents)d abstracts.") % counts)
    if adopted.ties:
        messages.warning(request, _("Undecided because of a tie: %(ties)s.") % {"ties": first_five(adopted.ties)})


def _tell_rest(request: Any, adopted: Adopted) -> None:
    if adopted.references_taken_back:
        said = _("Removed, because their answers no longer count or wait for a check: %d references.")
        messages.info(request, said % adopted.references_taken_back)
    if adopted.taken_back:
        messages.info(request, _("Removed, because their answers no longer count: %d sources.") % adopted.taken_back)
    if adopted.stay:
        messages.warning(request, _("Kept, because outputs or work depend on them: %d sources.") % adopted.stay)
    if adopted.left:
        messages.warning(request, left_out_message(adopted.left))


def _show(request: Any, campaign: Campaign, status: int = 200) -> HttpResponse:
    campaign.refresh_from_db()
    progress = progress_of(campaign)
    guidelines = _guidelines(request, campaign)
    context = {
        "campaign": campaign,
        "kind": TASK_TYPES[campaign.task_type],
        "progress": progress,
        "pace": paces({campaign: progress.left})[campaign.pk],
        "days": answers_by_day(campaign),
        "chain": chain_of(campaign),
        "people": progress_by_person(campaign),
        "paused": paused_in(campaign),
        "waiting": waiting_for_review(campaign).count(),
        "lacking": lacking(campaign),
        "kept": expected_count(campaign) if campaign.purpose in ASKED_OF else 0,
        "is_preparation": campaign.purpose in ASKED_OF,
        "rates": TASK_TYPES[campaign.task_type].judges() and campaign.purpose == Campaign.Purpose.WORK,
        "steps": [
            {
                "state": next_state,
                "label": STEPS[next_state],
                "asks": next_state in STARTS and not guidelines["guideline_text"].strip(),
            }
            for next_state in FOLLOWS[campaign.state]
        ],
        "criteria": campaign.settings.get("criteria", []),
        "may_edit": may(request.user, Can.EDIT_STUDY, request.study),
        "raw_form": RawAnswersForm() if may(request.user, Can.EXPORT, request.study) else None,
        "growth_form": GrowthForm(campaign=campaign) if _can_grow(campaign) else None,
        "adoption_form": AdoptionForm(campaign=campaign) if adoptable(campaign) else None,
        **guidelines,
    }
    return render(request, "annotation/campaign.html", context, status=status)


def _can_grow(campaign: Campaign) -> bool:
    return campaign.state in RUNNING and campaign.purpose == Campaign.Purpose.WORK


def _guidelines(request: Any, campaign: Campaign) -> dict[str, Any]:
    """The versions, the newest first, each with how many answers were made under it; two of them compared."""
    counts = answers_by_version(campaign)
    versions = list(campaign.guidelines.order_by("-version"))
    newest = versions[0].text if versions else ""
    return {
        "guidelines": [{"guideline": version, "answers": counts.get(version.version, 0)} for version in versions],
        "guideline_text": newest,
        "guideline_form": GuidelineForm(initial={"text": newest}),
        "compared": _compared(request, versions) if len(versions) > 1 else None,
    }


def _compared(request: Any, versions: list[Guideline]) -> dict[str, Any]:
    """Two versions, by default the newest two, each in pieces: the older one with what is gone, the newer one with what
    came.
    """
    by_number = {str(one.version): one for one in versions}
    older = by_number.get(request.GET.get("older", ""), versions[1])
    newer = by_number.get(request.GET.get("newer", ""), versions[0])
    found: dict[str, Any] = {"older": older, "newer": newer, "is_asked": "older" in request.GET}
    if found["is_asked"]:
        pieces = line_diff(older.text, newer.text)
        found["gone"] = [one for one in pieces if one.kind != NEW]
        found["new"] = [one for one in pieces if one.kind != GONE]
    return found


@require_POST
def campaign_remove(request: Any, study: str, campaign: str) -> HttpResponse:
    """Take it out of the study with its items and answers."""
    campaign_object = campaign_of(request, campaign)
    with telling(request):
        tell_removed(request, remove_campaign(campaign=campaign_object, by=request.user))
        return redirect("study_campaigns", study=study)
    return redirect("campaign", study=study, campaign=campaign)


@require_http_methods(["GET", "HEAD", "POST"])
def campaign_edit(request: Any, study: str, campaign: str) -> HttpResponse:
    campaign_object = campaign_of(request, campaign)
    data, asks = _sent(request)
    form = EditCampaignForm(data, study=request.study, campaign=campaign_object)
    if data is not None and not asks and form.is_valid():
        with telling(form):
            edit_campaign(campaign=campaign_object, by=request.user, **form.changes())
            return redirect("campaign", study=request.study.slug, campaign=campaign_object.slug)
    context = {"form": form, "campaign": campaign_object, "kind": TASK_TYPES[campaign_object.task_type], "asks": asks}
    return render(request, "annotation/edit.html", context, status=200 if data is None or asks else 422)


def _sent(request: Any) -> tuple[Any, bool]:
    """The form's data, and whether it only asks for one more example, which saves nothing."""
    data = request.POST if request.method == "POST" else None
    if data is None or "take_example" not in data or "examples-TOTAL_FORMS" not in data:
        return data, False
    with telling(request):
        data = with_example(data, request.study)
    return data, True


@require_http_methods(["GET", "HEAD", "POST"])
def campaign_new(request: Any, study: str) -> HttpResponse:
    data, asks = _sent(request)
    form, criteria = CampaignForm(data, study=request.study), criteria_form(request.study, data)
    if data is not None and not asks and form.is_valid() and criteria.is_valid():
        with telling(form):
            created = create_campaign(study=request.study, by=request.user, **form.options(criteria.given()))
            return redirect("campaign", study=request.study.slug, campaign=created.slug)
    context = {"form": form, "criteria": criteria, "judging": _kinds_with("rate_reference")}
    context |= {"rating": _kinds_with("criteria"), "asks": asks}
    return render(request, "annotation/new.html", context, status=200 if data is None or asks else 422)


def _kinds_with(setting: str) -> str:
    """The kinds of work that have this setting, as the page's script reads them."""
    return " ".join(name for name, kind in TASK_TYPES.items() if setting in kind.defaults)
