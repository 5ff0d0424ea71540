"""Entering from a crowd site, the consent, and leaving with a code. Work itself is on the campaigns' own pages."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core.internal import ratelimit
from django.conf import settings
from django.contrib.auth import login
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.http import require_GET, require_POST

from accounts.authentication import digest_of, new_secret
from accounts.telling import telling
from annotation.actions.answer_consent import answer_consent
from annotation.actions.enter_crowd import check_id, enter_crowd
from annotation.actions.leave_crowd import leave_crowd
from annotation.blinding import Kind, handle_of, named_row
from annotation.crowd import participation as crowd
from annotation.crowd.sites import NOT_TAKEN, SITES, way_back
from annotation.models import Campaign, CrowdParticipant, RecruitmentLink
from foundation.errors import UserError

# The pay for the work and the time that it may take, in sentences, for people who are about to agree to it.


def crowd_offer(campaign: Campaign) -> list[str]:
    pay, quota = campaign.pay, campaign.eligibility.get("quota")
    minutes = pay.get("minutes") or campaign.lease_minutes
    said = []
    if quota:
        said.append(ngettext("At most %d item.", "At most %d items.", quota).replace("%d", str(quota)))
    longest = number_format(f"{minutes:g}", use_l10n=True)
    said.append(_("At most {minutes} minutes for an item.").format(minutes=longest))
    for unit, sentence in (
        ("item", _("{amount} {currency} for an item.")),
        ("hour", _("{amount} {currency} for an hour.")),
    ):
        if pay.get(unit):
            amount = number_format(pay[unit], 2)
            said.append(sentence.format(amount=amount, currency=pay.get("currency", "")))
    return said


COOKIE, SALT = "restyle_crowd", "annotation.crowd.participation.browser"
YEAR = 365 * 24 * 3600
BACKEND = "accounts.backend.People"
STOP_MESSAGES = {
    "unknown": (gettext_noop("This link does not work"), gettext_noop("Open it from the page of your site again.")),
    "closed": (gettext_noop("This work accepts no new people"), gettext_noop("Thank you for coming.")),
    "elsewhere": (
        gettext_noop("This id is in use in another browser"),
        gettext_noop(
            "Go back to the browser and device in which you first opened the link. If you cannot, write to the "
            "researchers through your site: they can let you continue in this one."
        ),
    ),
    "no id": (gettext_noop("The link has no participant id"), ""),
}  # fmt: skip
STATUS = {"unknown": 410, "closed": 410, "elsewhere": 409, "no id": 400}


@require_GET
def enter(request: Any, secret: str) -> HttpResponse:
    """The page behind the site's link: makes the person on the first visit, and finds their place on the next ones."""
    if not ratelimit.consume(request, app="allauth.account", action="crowd_enter", limit_get=True):
        return render(request, "429.html", status=429)
    recruitment_link = (
        RecruitmentLink.objects.filter(secret=secret).select_related("campaign__study", "training").first()
    )
    if recruitment_link is None:
        return _stop(request, "unknown")
    names = SITES[RecruitmentLink.Site(recruitment_link.site)]
    session = request.GET.get(names.session, "")
    if session == NOT_TAKEN:
        return render(request, "annotation/crowd/look.html", {"recruitment_link": recruitment_link})
    if request.user.is_authenticated and not CrowdParticipant.objects.filter(person=request.user).exists():
        return render(request, "annotation/crowd/staff.html", {"recruitment_link": recruitment_link})
    try:
        external_id = check_id(request.GET.get(names.person, ""))
    except UserError as error:
        return _stop(request, "no id", str(error))
    return _enter(request, recruitment_link, external_id, session)


def _enter(request: Any, recruitment_link: RecruitmentLink, external_id: str, session: str) -> HttpResponse:
    stored_secret = request.get_signed_cookie(COOKIE, default="", salt=SALT)
    secret = stored_secret or new_secret()
    seen = {"address": get_adapter().get_client_ip(request), "agent": request.headers.get("User-Agent", "")}
    entry = enter_crowd(
        recruitment_link=recruitment_link,
        external_id=external_id,
        browser=digest_of(secret),
        session_id=session,
        **seen,
    )
    if entry.participant is None:
        return _stop(request, entry.refused)
    person = entry.participant.person
    if request.user != person:
        login(request, person, backend=BACKEND)
    answer = _to_place(entry.participant)
    answer.set_signed_cookie(
        COOKIE, secret, salt=SALT, max_age=YEAR, path=settings.SESSION_COOKIE_PATH, httponly=True, samesite="Lax",
        secure=settings.HTTPS,
    )  # fmt: skip
    return answer


@require_GET
def here(request: Any, entrant: str) -> HttpResponse:
    """Their place: the consent, the campaign that is to be worked in, or the code."""
    participant = _own(request, entrant)
    if participant.state in crowd.LEFT:
        context = {
            "participant": participant,
            "back": way_back(participant.recruitment_link.site, participant.code),
            **_steps(participant),
        }
        return render(request, "annotation/crowd/code.html", context)
    if participant.state != crowd.State.CONSENTED:
        offer = crowd_offer(participant.recruitment_link.campaign)
        context = {"participant": participant, "offer": offer, **_steps(participant)}
        return render(request, "annotation/crowd/consent.html", context)
    if crowd.screened_out(participant):
        return _leave(request, participant)
    study = participant.recruitment_link.campaign.study
    return redirect("campaign_work", study=study.slug, campaign=crowd.next_campaign(participant).slug)


@require_POST
def consent(request: Any, entrant: str) -> HttpResponse:
    """They agree, or they do not."""
    answer_consent(participant=_own(request, entrant), agrees=request.POST.get("agrees") == "yes")
    return redirect("crowd", entrant=entrant)


@require_POST
def finish(request: Any, entrant: str) -> HttpResponse:
    """They leave, and get their code."""
    return _leave(request, _own(request, entrant))


def _leave(request: Any, participant: CrowdParticipant) -> HttpResponse:
    with telling(request):
        leave_crowd(participant=participant)
    return _to_place(participant)


def _to_place(participant: CrowdParticipant) -> HttpResponse:
    return redirect("crowd", entrant=handle_of(Kind.PARTICIPANT, participant.pk, participant.person_id))


def _own(request: Any, entrant: str) -> CrowdParticipant:
    participants = CrowdParticipant.objects.select_related(
        "recruitment_link__campaign__study", "recruitment_link__training", "person"
    )
    participant = participants.filter(
        pk=named_row(Kind.PARTICIPANT, entrant, request.user.pk), person=request.user.pk
    ).first()
    if participant is None:
        raise Http404("There is no such place.")
    return participant


def _steps(participant: CrowdParticipant) -> dict[str, Any]:
    return {"steps": crowd.steps(participant), "campaign": participant.recruitment_link.campaign}


def _stop(request: Any, why: str, said: str = "") -> HttpResponse:
    title, text = STOP_MESSAGES[why]
    context = {"title": _(title), "text": said or _(text)}
    return render(request, "annotation/crowd/stop.html", context, status=STATUS[why])
