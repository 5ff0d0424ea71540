"""What people answered, to take away: the page of a study, and the files. Authorization sets `request.study`."""

from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.answer_export import EXPORT_FORMATS
from annotation.campaigns.requested import campaign_of
from annotation.forms.gold import RawAnswersForm
from annotation.models import Campaign
from annotation.presenters.files import answers_as_file
from annotation.progress.counts import answered_by_campaign
from annotation.task_types import TASK_TYPES
from foundation.errors import UserError


@require_safe
def study_answers(request: Any, study: str) -> HttpResponse:
    return _page(request)


@require_safe
def study_answers_file(request: Any, study: str) -> HttpResponse | StreamingHttpResponse:
    """The answers of all campaigns as a file."""
    return _file_or_page(request)


@require_safe
def campaign_answers_file(request: Any, study: str, campaign: str) -> HttpResponse | StreamingHttpResponse:
    """The answers of one campaign as a file."""
    return _file_or_page(request, campaign_of(request, campaign))


def _file_or_page(request: Any, campaign: Campaign | None = None) -> HttpResponse | StreamingHttpResponse:
    try:
        return answers_as_file(request.study, request.GET.dict(), request.user, campaign)
    except UserError as error:
        return _page(request, error, campaign)


def _page(request: Any, error: UserError | None = None, campaign: Campaign | None = None) -> HttpResponse:
    form = RawAnswersForm(request.GET if error else None)
    context = {
        "campaigns": [
            {"one": campaign, "kind": TASK_TYPES[campaign.task_type]}
            for campaign in answered_by_campaign(request.study)
        ],
        "only": campaign,
        "form": form,
        "forms": EXPORT_FORMATS,
        "error": error,
    }
    return render(request, "annotation/raw_answers.html", context, status=422 if error else 200)
