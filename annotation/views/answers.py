"""A person's own earlier answers, and the page that changes one."""

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.actions.revise_answer import revise_answer
from annotation.models import Answer, Campaign
from annotation.task_types import TASK_TYPES
from annotation.views.campaigns import campaign_of
from annotation.views.work import read_key, read_seconds, scripts_of
from foundation.errors import UserError


def own_answers(found: Campaign, person: Any) -> Any:
    """The newest revision of each answer of `person`, the latest first."""
    mine = Answer.objects.filter(campaign=found, person=person)
    newest = mine.order_by("item_id", "pilot", "-revision").distinct("item_id", "pilot").values("pk")
    return (
        mine.filter(pk__in=newest).select_related("campaign", "item", "slot", "person").order_by("-submitted_at", "-pk")
    )


@require_safe
def answers(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    found = campaign_of(request, campaign)
    page = Paginator(own_answers(found, request.user), 25).get_page(request.GET.get("page"))
    for answer in page:
        answer.shown = answer.content.get("text") or answer.item.content.get("source", "")
        answer.can_change = answer.outcome == Answer.Outcome.ANSWERED and found.state != Campaign.State.CLOSED
    return render(request, "annotation/answers.html", {"campaign": found, "page": page})


@require_http_methods(["GET", "HEAD", "POST"])
def revise(request: Any, study: str, campaign: str, answer: int) -> HttpResponse:
    """The item as it was presented, filled with the newest revision; handing in appends another."""
    found = campaign_of(request, campaign)
    first = get_object_or_404(Answer, pk=answer, campaign=found, person=request.user, outcome=Answer.Outcome.ANSWERED)
    newest = Answer.objects.filter(item=first.item_id, person=request.user, pilot=first.pilot).latest("revision")
    filled, error = newest.content, None
    if request.method == "POST":
        try:
            key, seconds = read_key(request.POST), read_seconds(request.POST)
            revise_answer(answer=newest, person=request.user, key=key, form=request.POST, seconds=seconds)
            messages.success(request, _("Your change is saved."))
            return redirect("campaign_answers", study=study, campaign=campaign)
        except UserError as problem:
            error = problem
            kind = TASK_TYPES[found.task_type]
            filled = kind.restored(kind.partial(request.POST, first.item.content, found.settings), newest.order)
    return _show(request, found, newest, filled, error)


def _show(request: Any, found: Campaign, answer: Answer, filled: Any, error: UserError | None) -> HttpResponse:
    task_type = TASK_TYPES[found.task_type]
    context = {
        "campaign": found,
        "answer": answer,
        "item": task_type.present(answer.item.content, found.settings, answer.order, filled),
        "template": task_type.template,
        "verb": task_type.verb,
        "scripts": scripts_of(task_type, found.settings),
        "error": error,
        "key": uuid4(),
    }
    return render(request, "annotation/revise.html", context, status=422 if error else 200)
