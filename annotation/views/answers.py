"""A person's own earlier answers, and the page that changes one."""

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.actions.reply_to_review import reply_to_review
from annotation.actions.revise_answer import revise_answer
from annotation.handles import Kind, handle_of, key_of
from annotation.models import Answer, Campaign, Review
from annotation.own_answers import name_for_author, own_answers, shown_reviews
from annotation.reviewing import newest_verdict, reviews_of
from annotation.showing import shown
from annotation.task_types import TASK_TYPES
from annotation.views.campaigns import campaign_of
from annotation.views.work import read_key, read_seconds, scripts_of
from foundation.errors import UserError


@require_safe
def answers(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    found = campaign_of(request, campaign)
    own = own_answers(found, request.user)
    if request.GET.get("show") == "rejected":
        own = own.annotate(newest=newest_verdict()).filter(newest=Review.Verdict.REJECTED)
    page = Paginator(own, 25).get_page(request.GET.get("page"))
    return show_answers(request, found, page)


def show_answers(request: HttpRequest, found: Campaign, page: Any, error: UserError | None = None) -> HttpResponse:
    """The answers of a page, each with what reviewers said; `error` is about a reply."""
    said, is_work = reviews_of(page), found.purpose == Campaign.Purpose.WORK
    for answer in name_for_author(page):
        answer.shown, answer.said = shown(answer), shown_reviews(found, said[answer.pk])
        newest = said[answer.pk][-1:]
        answer.verdict = newest[0] if newest and newest[0] in answer.said else None
        answer.rejected = _is_rejected(answer)
        if answer.rejected:
            answer.verdict.handle = handle_of(Kind.REVIEW, answer.verdict.pk, answer.person_id)
        answered = answer.outcome == Answer.Outcome.ANSWERED and is_work
        answer.can_change = answered and found.state != Campaign.State.CLOSED
    context = {"campaign": found, "page": page, "error": error}
    return render(request, "annotation/answers.html", context, status=422 if error else 200)


def _is_rejected(answer: Any) -> bool:
    """Whether the newest revision is rejected, so that its author may change it or say something to it."""
    return answer.verdict is not None and answer.verdict.verdict == Review.Verdict.REJECTED and (
        answer.verdict.answer_id == answer.pk
    )  # fmt: skip


@require_POST
def reply(request: Any, study: str, campaign: str, review: str) -> HttpResponse:
    """Say something to a reviewer's decision about an answer of one's own."""
    found = campaign_of(request, campaign)
    key = key_of(Kind.REVIEW, review, request.user.pk)
    chosen = get_object_or_404(Review, pk=key, answer__campaign=found, answer__person=request.user)
    try:
        reply_to_review(review=chosen, by=request.user, text=request.POST.get("reply", ""))
    except UserError as error:
        page = Paginator(own_answers(found, request.user).filter(item=chosen.answer.item_id), 25).get_page(1)
        return show_answers(request, found, page, error)
    messages.success(request, _("Your reply is with the reviewers."))
    return redirect("campaign_answers", study=study, campaign=campaign)


@require_http_methods(["GET", "HEAD", "POST"])
def revise(request: Any, study: str, campaign: str, answer: str) -> HttpResponse:
    """The item as it was presented, filled with the newest revision; handing in appends another."""
    found = campaign_of(request, campaign)
    own = Answer.objects.filter(campaign=found, person=request.user, outcome=Answer.Outcome.ANSWERED)
    first = get_object_or_404(own, pk=key_of(Kind.ANSWER, answer, request.user.pk))
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
        "handle": handle_of(Kind.ANSWER, answer.pk, answer.person_id),
        "said": shown_reviews(found, reviews_of([answer])[answer.pk]),
        "item": task_type.present(answer.item.content, found.settings, answer.order, filled),
        "template": task_type.template,
        "verb": task_type.verb,
        "scripts": scripts_of(task_type, found.settings),
        "error": error,
        "key": uuid4(),
    }
    return render(request, "annotation/revise.html", context, status=422 if error else 200)
