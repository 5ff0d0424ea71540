"""A person's own earlier answers, and the page that changes one."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.telling import go_on, telling
from annotation.actions.reply_to_review import reply_to_review
from annotation.actions.save_change import save_change
from annotation.blinding import Kind, handle_of, name_for_author, named_row, own_answers, shown_reviews
from annotation.campaigns.requested import campaign_of
from annotation.engine.drafts import NewerDraft
from annotation.models import Answer, Campaign, Review
from annotation.presenters.answers import presented_answer
from annotation.presenters.work import draft_feedback
from annotation.review import newest_verdict, reviews_of
from annotation.views.changing import change, is_part, newer_draft, show_change
from annotation.views.held_item import read_page, read_seconds, read_whole
from annotation.views.work import show_next
from foundation.errors import UserError


@require_safe
def answers(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    campaign_object = campaign_of(request, campaign)
    own = own_answers(campaign_object, request.user)
    if request.GET.get("show") == "rejected":
        own = own.annotate(newest=newest_verdict()).filter(newest=Review.Verdict.REJECTED)
    page = Paginator(own, 25).get_page(request.GET.get("page"))
    return show_answers(request, campaign_object, page)


def show_answers(
    request: HttpRequest, campaign: Campaign, page: Any, error: UserError | None = None, typed: str = ""
) -> HttpResponse:
    """The answers of a page, each with what reviewers said; `error` is about the reply that was `typed`."""
    said = reviews_of(page)
    rows = [_row(campaign, answer, said[answer.pk]) for answer in name_for_author(page)]
    context = {"campaign": campaign, "page": page, "rows": rows, "error": error, "typed": typed}
    return render(request, "annotation/answers.html", context, status=422 if error else 200)


def _row(campaign: Campaign, answer: Answer, said: list[Review]) -> dict[str, Any]:
    """An answer with the decisions that its author sees; a `rejected` one may be changed or replied to."""
    shown = shown_reviews(campaign, said)
    verdict = said[-1] if said and said[-1] in shown else None
    is_rejected = verdict is not None and verdict.verdict == Review.Verdict.REJECTED and verdict.answer_id == answer.pk
    is_work = answer.outcome == Answer.Outcome.ANSWERED and campaign.purpose == Campaign.Purpose.WORK
    return {
        "answer": answer,
        "shown": presented_answer(answer),
        "said": shown,
        "verdict": verdict,
        "rejected": handle_of(Kind.REVIEW, verdict.pk, answer.person_id) if verdict and is_rejected else "",
        "can_change": is_work and campaign.state != Campaign.State.CLOSED,
    }


@require_POST
def reply(request: Any, study: str, campaign: str, review: str) -> HttpResponse:
    """Say something to a reviewer's decision about an answer of one's own."""
    campaign_object = campaign_of(request, campaign)
    key = named_row(Kind.REVIEW, review, request.user.pk)
    chosen = get_object_or_404(Review, pk=key, answer__campaign=campaign_object, answer__person=request.user)
    with telling() as told:
        reply_to_review(review=chosen, by=request.user, text=request.POST.get("reply", ""))
        return go_on(request, _("Your reply is with the reviewers."), "campaign_answers", study, campaign)
    page = Paginator(own_answers(campaign_object, request.user).filter(item=chosen.answer.item_id), 25).get_page(1)
    return show_answers(request, campaign_object, page, told.error, request.POST.get("reply", ""))


@require_http_methods(["GET", "HEAD", "POST"])
def revise(request: Any, study: str, campaign: str, answer: str) -> HttpResponse:
    """The item as it was presented, filled with the newest revision; handing in appends another.

    On the page itself the person goes back to the list; as a part of the work page, on with the item in their hands.
    """
    newest = newest_of(request, campaign, answer)
    if request.method != "POST":
        return show_change(request, newest)
    refused = change(request, newest)
    if refused is not None:
        return refused
    messages.success(request, _("Your change is saved."))
    if is_part(request):
        return show_next(request, campaign)
    answers = reverse("campaign_answers", args=[study, campaign])
    return HttpResponseClientRedirect(answers) if request.htmx else redirect(answers)


@require_POST
def change_draft(request: Any, study: str, campaign: str, answer: str) -> HttpResponse:
    """Save what is typed so far of a change; 409 with both versions where another page saved a newer one."""
    newest = newest_of(request, campaign, answer)
    try:
        version = read_whole(request.POST.get("version", ""))
        page = read_page(request.POST)
        page["seconds"] = read_seconds(request.POST)
        saved = save_change(answer=newest, person=request.user, version=version, form=request.POST, **page)
        return JsonResponse({"version": saved, **draft_feedback(newest, request.POST)})
    except NewerDraft as error:
        return newer_draft(request, newest, error)
    except UserError as error:
        return JsonResponse({"detail": str(error)}, status=422)


def newest_of(request: Any, campaign: str, answer: str) -> Answer:
    """The newest revision of the person's own answer that the address names."""
    own = Answer.objects.filter(campaign=campaign_of(request, campaign), person=request.user)
    own = own.filter(outcome=Answer.Outcome.ANSWERED).select_related("campaign__study", "item", "assignment", "person")
    first = get_object_or_404(own, pk=named_row(Kind.ANSWER, answer, request.user.pk))
    return own.filter(item=first.item_id, pilot=first.pilot).latest("revision")
