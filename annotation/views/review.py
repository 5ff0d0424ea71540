"""What a reviewer decides on: skips, reports, late work, and the answers themselves."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST, require_safe

from annotation.actions.decide import decide
from annotation.diff import word_diff
from annotation.models import Answer, Campaign, Review
from annotation.task_types import TASK_TYPES
from annotation.views.campaigns import campaign_of
from annotation.waiting import waiting_answers
from foundation.errors import UserError

OUTCOME = Answer.Outcome
KINDS = {
    "waiting": gettext_noop("Waiting"),
    "answers": gettext_noop("Answers"),
    "decided": gettext_noop("Decided"),
}
VERDICTS = {
    "accepted": gettext_noop("Accept"),
    "rejected": gettext_noop("Reject"),
    "returned": gettext_noop("Return to the queue"),
    "dropped": gettext_noop("Drop the item"),
}
PROBLEMS = {
    "unreadable": gettext_noop("It cannot be read"),
    "personal_data": gettext_noop("It holds personal data"),
    "harmful": gettext_noop("It is harmful"),
}


@require_safe
def review(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    found = campaign_of(request, campaign)
    kind = request.GET.get("show", "waiting")
    kind = kind if kind in KINDS else "waiting"
    page = Paginator(answers_of_kind(found, kind), 20).get_page(request.GET.get("page"))
    rows = [_row(found, answer) for answer in page]
    tabs = [{"name": name, "label": _(label), "current": name == kind} for name, label in KINDS.items()]
    context = {"campaign": found, "rows": rows, "page": page, "tabs": tabs, "kind": kind}
    return render(request, "annotation/review.html", context)


@require_POST
def review_decide(request: Any, study: str, campaign: str, answer: int) -> HttpResponse:
    found = campaign_of(request, campaign)
    chosen = get_object_or_404(Answer, pk=answer, campaign=found)
    try:
        verdict, comment = request.POST.get("verdict", ""), request.POST.get("comment", "")
        decide(answer=chosen, verdict=verdict, by=request.user, comment=comment)
        messages.success(request, _("Decided."))
    except UserError as error:
        messages.error(request, str(error))
    kind = request.POST.get("show", "waiting")
    kind = kind if kind in KINDS else "waiting"
    return redirect(reverse("campaign_review", args=[study, campaign]) + f"?show={kind}")


def answers_of_kind(found: Campaign, kind: str) -> QuerySet[Answer]:
    """Newest first, each with its newest verdict, if any, as `verdict`."""
    newest = Review.objects.filter(answer=OuterRef("pk")).order_by("-made_at", "-pk").values("verdict")[:1]
    answers = (
        Answer.objects.filter(campaign=found)
        .annotate(verdict=Subquery(newest))
        .select_related("campaign", "item", "slot", "person")
        .order_by("-submitted_at", "-pk")
    )
    unusual = ~Q(outcome=OUTCOME.ANSWERED) | Q(late=True)
    if kind == "waiting":
        return answers.filter(pk__in=waiting_answers(campaign=found).values("pk"))
    if kind == "answers":
        return answers.filter(~unusual).order_by("item__number", "slot__number", "revision")
    return answers.filter(verdict__isnull=False)


def _row(found: Campaign, answer: Answer) -> dict[str, Any]:
    source = answer.item.content.get("source", "")
    text = answer.content.get("text", "") if answer.outcome == OUTCOME.ANSWERED else ""
    verdicts = VERDICTS
    if answer.outcome == OUTCOME.REPORTED:
        verdicts = {name: VERDICTS[name] for name in ("returned", "dropped")}
    return {
        "answer": answer,
        "source": source,
        "diff": list(word_diff(source, text)) if text else [],
        "judgements": _judgements(found, answer),
        "verdict": Review.Verdict(answer.verdict).label if answer.verdict else "",
        "problem": _(PROBLEMS.get(answer.content.get("kind", ""), "")) if answer.content.get("kind") else "",
        "verdicts": [{"name": name, "label": _(label)} for name, label in verdicts.items()],
    }


def _judgements(found: Campaign, answer: Answer) -> list[Any]:
    if answer.outcome != OUTCOME.ANSWERED:
        return []
    return list(TASK_TYPES[found.task_type].judgements(answer.content, answer.item.content, found.settings))
