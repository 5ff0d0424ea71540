"""The pages of a reviewer: campaigns where answers wait, and in them skips, reports, late work and answers."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST, require_safe

from annotation.actions.review_answer import review_answer
from annotation.campaigns.requested import campaign_of
from annotation.models import Answer, Campaign, Review
from annotation.presenters.answers import presented_answer
from annotation.progress.counts import waiting_in_all
from annotation.review import AnswerFilter, answers_for, following, reviews_of
from annotation.task_types import TASK_TYPES
from annotation.views.held_item import scripts_of
from foundation.errors import UserError

OUTCOME = Answer.Outcome
SHOWS = {
    "waiting": gettext_noop("Waiting"),
    "revised": gettext_noop("Changed after a rejection"),
    "answers": gettext_noop("Answers"),
    "decided": gettext_noop("Decided"),
}
VERDICTS = {
    "accepted": gettext_noop("Accept"),
    "rejected": gettext_noop("Reject"),
    "returned": gettext_noop("Return to the queue"),
    "dropped": gettext_noop("Remove the item"),
}
PROBLEMS = {
    "unreadable": gettext_noop("It cannot be read"),
    "personal_data": gettext_noop("It holds personal data"),
    "harmful": gettext_noop("It is harmful"),
}
A_PAGE = 20


@require_safe
def review(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    """The list, or with `view=one` a single answer: the one that `answer` names, else the first."""
    campaign_object, answer_filter = campaign_of(request, campaign), AnswerFilter.read(request.GET)
    if request.GET.get("view") == "one":
        return _single_answer(request, campaign_object, answer_filter)
    page = Paginator(answers_for(campaign_object, answer_filter), A_PAGE).get_page(request.GET.get("page"))
    said = reviews_of(page)
    context = {
        **_frame(campaign_object, answer_filter),
        "rows": [_row(answer, said[answer.pk]) for answer in page],
        "page": page,
        "people": _people(campaign_object),
        "all_verdicts": Review.Verdict.choices,
    }
    return render(request, "annotation/review.html", context)


@require_POST
def review_decide(request: Any, study: str, campaign: str, answer: int) -> HttpResponse:
    """Decide, and go on with the next one where they are looked at one by one."""
    campaign_object, answer_filter = campaign_of(request, campaign), AnswerFilter.read(request.GET)
    reviewed_answer = get_object_or_404(
        Answer.objects.select_related("campaign", "item"), pk=answer, campaign=campaign_object
    )
    after = following(answers_for(campaign_object, answer_filter), reviewed_answer)
    verdict = request.POST.get("verdict", "")
    given = {key: request.POST.get(f"review-{key}", request.POST.get(key, "")) for key in ("comment", "reason")}
    single = request.GET.get("view") == "one"
    try:
        review_answer(
            answer=reviewed_answer,
            verdict=verdict,
            by=request.user,
            **given,
            form=request.POST if verdict == "fixed" else None,
        )
        messages.success(request, _("Decided."))
    except UserError as error:
        if single or given["comment"]:  # which is not to be typed again
            return _single_answer(request, campaign_object, answer_filter, reviewed_answer, error)
        messages.error(request, error.sentence)
    address = reverse("campaign_review", args=[study, campaign])
    further = {"view": "one", **({"answer": after.pk} if after else {})} if single else {}
    return redirect(f"{address}?{urlencode({**answer_filter.parameters(), **further})}")


def _single_answer(
    request: Any,
    campaign: Campaign,
    answer_filter: AnswerFilter,
    answer: Answer | None = None,
    error: UserError | None = None,
) -> HttpResponse:
    """One answer with all that may be decided about it; `fix` opens the editor of its kind, filled in."""
    answers = answers_for(campaign, answer_filter)
    answer = answer or _named(request, campaign) or answers.first()
    back = [{"url": f"?{urlencode(answer_filter.parameters())}", "label": _("Review")}]
    context = {**_frame(campaign, answer_filter), "error": error, "left": answers.count(), "crumbs": back}
    if answer is not None:
        before, after = following(answers, answer, back=True), following(answers, answer)
        fixing = answer.outcome == OUTCOME.ANSWERED and ("fix" in request.GET or request.POST.get("verdict") == "fixed")
        context |= {
            "row": _row(answer, reviews_of([answer])[answer.pk]),
            "before": before.pk if before else None,
            "after": after.pk if after else None,
            "rejecting": error is not None and request.POST.get("verdict") == "rejected",
            "comment": request.POST.get("review-comment", request.POST.get("comment", "")),
            **(_editor(request, campaign, answer) if fixing else {}),
        }
    return render(request, "annotation/review_one.html", context, status=422 if error else 200)


def _named(request: Any, campaign: Campaign) -> Answer | None:
    key = request.GET.get("answer", "")
    if not (key.isascii() and key.isdigit() and len(key) < 19):
        return None
    named = Answer.objects.filter(pk=int(key), campaign=campaign).select_related(
        "campaign", "item", "assignment", "person"
    )
    return named.first()


def _editor(request: Any, campaign: Campaign, answer: Answer) -> dict[str, Any]:
    kind, item = TASK_TYPES[campaign.task_type], answer.item.content
    filled = answer.content
    if request.method == "POST":
        filled = kind.restored(kind.partial(request.POST, item, campaign.settings), answer.order)
    return {
        "fixing": True,
        "item": kind.present(item, campaign.settings, answer.order, filled),
        "template": kind.template,
        "verb": kind.verb,
        "scripts": scripts_of(kind, campaign.settings),
    }


def _frame(campaign: Campaign, answer_filter: AnswerFilter) -> dict[str, Any]:
    return {
        "campaign": campaign,
        "chosen": answer_filter,
        "query": urlencode(answer_filter.parameters()),
        "tabs": [
            {"name": name, "label": _(label), "current": name == answer_filter.show} for name, label in SHOWS.items()
        ],
    }


def _people(campaign: Campaign) -> list[tuple[int, str]]:
    memberships = campaign.memberships.select_related("person").order_by("person__name", "person__email")
    return [(membership.person_id, str(membership.person)) for membership in memberships]


def _row(answer: Answer, said: list[Review]) -> dict[str, Any]:
    """An answer with all that is known of it; `said` are the decisions about it, and about its earlier revisions."""
    verdicts = VERDICTS
    if answer.outcome == OUTCOME.REPORTED:
        verdicts = {name: VERDICTS[name] for name in ("returned", "dropped")}
    own = [one for one in said if one.answer_id == answer.pk]
    fixed = own[-1] if own and own[-1].verdict == Review.Verdict.FIXED else None
    problem = answer.content.get("kind", "") if answer.outcome == OUTCOME.REPORTED else ""
    return {
        "answer": answer,
        "shown": presented_answer(answer),
        "fixed": presented_answer(answer, fixed.content) if fixed else None,
        "said": said,
        "verdict": own[-1] if own else None,
        "problem": _(PROBLEMS[problem]) if problem in PROBLEMS else "",
        "verdicts": [{"name": name, "label": _(label)} for name, label in verdicts.items()],
    }


@require_safe
def study_reviews(request: Any, study: str) -> HttpResponse:
    """Each campaign that has answers to decide on, those with the most first."""
    campaigns = list(request.study.campaigns.select_related("direction"))
    waiting = waiting_in_all(campaigns)
    rows = [
        {"campaign": campaign, "kind": TASK_TYPES[campaign.task_type].label, "waiting": waiting[campaign.pk]}
        for campaign in sorted(campaigns, key=lambda one: -waiting.get(one.pk, 0))
        if campaign.pk in waiting
    ]
    return render(request, "annotation/reviews.html", {"rows": rows})
