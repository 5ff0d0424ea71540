"""The pages for running a campaign with a crowd: its recruitment links, the people who came, and the ledger."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.forms import Textarea
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.option_fields import DeclaredForm, offer
from accounts.telling import form_page, go_on, telling
from annotation.actions.open_recruitment_link import RecruitmentLinkFields, open_recruitment_link
from annotation.actions.release_crowd_participant import release_crowd_participant
from annotation.actions.set_recruitment_link_state import set_recruitment_link_state
from annotation.campaigns.requested import campaign_of
from annotation.crowd.devices import shared_browsers
from annotation.crowd.ledger import everybody_of, lines, participants_of, rows
from annotation.crowd.sites import to_paste
from annotation.models import Campaign, CrowdParticipant, RecruitmentLink
from corpora.formats import csv_cells
from foundation.downloads import as_attachment


class RecruitmentLinkForm(DeclaredForm):
    declared = RecruitmentLinkFields
    in_form = {"consent": {"required": True, "widget": Textarea(attrs={"dir": "auto"})}}

    def __init__(self, data: Any = None, *, campaign: Campaign) -> None:
        super().__init__(data)
        trainings = campaign.study.campaigns.filter(purpose=Campaign.Purpose.TRAINING)
        self._trainings = {training.slug: training for training in trainings}
        none = ("", pgettext("training", "None"))
        offer(self, "training", [none, *((training.slug, training.name) for training in trainings)])

    def given(self) -> dict[str, Any]:
        """The fields of `open_recruitment_link`. Only after is_valid()."""
        return {**self.cleaned_data, "training": self._trainings.get(self.cleaned_data["training"])}


A_PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
def recruitment_links(request: Any, study: str, campaign: str) -> HttpResponse:
    """The campaign's recruitment links with their addresses and the people who came by them; the form opens another."""
    campaign_object = campaign_of(request, campaign)
    form = RecruitmentLinkForm(request.POST or None, campaign=campaign_object)
    if form.is_bound and form.is_valid():
        with telling(form):
            open_recruitment_link(campaign=campaign_object, by=request.user, **form.given())
            said = _("The recruitment link is open: paste it into the site.")
            return go_on(request, said, "campaign_entrances", study, campaign)
    page = Paginator(participants_of(campaign_object), A_PAGE).get_page(request.GET.get("page"))
    shared = shared_browsers(campaign_object.study_id, [participant.person_id for participant in page])
    for participant in page:
        participant.beside = shared.get(participant.person_id, [])
    links = _link_rows(request, campaign_object)
    context = {"campaign": campaign_object, "recruitment_links": links, "page": page}
    return form_page(request, "annotation/recruitment_links.html", form, **context)


@require_POST
def recruitment_link_state(request: Any, study: str, campaign: str, entrance: int) -> HttpResponse:
    """Close it or open it again."""
    recruitment_link = get_object_or_404(RecruitmentLink, pk=entrance, campaign=campaign_of(request, campaign))
    set_recruitment_link_state(
        recruitment_link=recruitment_link, is_open=request.POST.get("open") == "yes", by=request.user
    )
    return redirect("campaign_entrances", study=study, campaign=campaign)


@require_POST
def participant_release(request: Any, study: str, campaign: str, entrant: int) -> HttpResponse:
    """Let somebody go on in another browser."""
    participant = get_object_or_404(
        CrowdParticipant, pk=entrant, recruitment_link__campaign=campaign_of(request, campaign)
    )
    with telling(request):
        release_crowd_participant(participant=participant, by=request.user)
        messages.success(request, _("The next browser that comes with this id may continue."))
    return redirect("campaign_entrances", study=study, campaign=campaign)


@require_safe
def ledger(request: Any, study: str, campaign: str) -> HttpResponse:
    """The work of everybody from a crowd site here, and the pay that they are due."""
    campaign_object = campaign_of(request, campaign)
    page = Paginator(everybody_of(campaign_object), A_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "annotation/ledger.html",
        {"campaign": campaign_object, "page": page, "lines": lines(campaign_object, page)},
    )


@require_safe
def ledger_file(request: Any, study: str, campaign: str) -> StreamingHttpResponse:
    """The ledger as CSV, whose cells no spreadsheet runs as formulas."""
    campaign_object = campaign_of(request, campaign)
    headers = as_attachment(f"{study}-{campaign_object.slug}-ledger.csv")
    return StreamingHttpResponse(csv_cells.write(rows(campaign_object)), content_type="text/csv", headers=headers)


def _link_rows(request: Any, campaign: Campaign) -> list[dict[str, Any]]:
    counts = {
        state: Count("participants", filter=Q(participants__state=state)) for state in CrowdParticipant.State.values
    }
    rows_shown = []
    for recruitment_link in campaign.recruitment_links.select_related("training").annotate(**counts):
        url = request.build_absolute_uri(reverse("crowd_enter", args=[recruitment_link.secret]))
        states = [(CrowdParticipant.State(name).label, getattr(recruitment_link, name)) for name in counts]
        rows_shown.append(
            {"recruitment_link": recruitment_link, "paste": to_paste(recruitment_link.site, url), "states": states}
        )
    return rows_shown
