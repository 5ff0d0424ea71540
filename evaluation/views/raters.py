"""The page on which somebody who judged is left out of a human study's results, or taken back."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import Person
from evaluation.actions.exclude_rater import exclude_rater
from evaluation.actions.include_rater import include_rater
from evaluation.human_studies.main_comparison import exclusion_effect
from evaluation.human_studies.requested import human_study_of
from evaluation.human_studies.workers import workers_of
from evaluation.models import HumanStudy
from foundation.errors import UserError


@require_http_methods(["GET", "HEAD", "POST"])
def human_rater(request: Any, study: str, human: str, rater: UUID) -> HttpResponse:
    """What changes where this person is left out, or back in: first shown, then done."""
    human_study, person, why = human_study_of(request, human), str(rater), None
    back = any(exclusion["person"] == person for exclusion in human_study.excluded)
    if request.method == "POST":
        try:
            if back:
                include_rater(human_study=human_study, person=person, by=request.user)
            else:
                exclude_rater(
                    human_study=human_study, person=person, reason=request.POST.get("reason", ""), by=request.user
                )
            return redirect("human_study", study, human)
        except UserError as error:
            why = error.sentence
    return _confirm(request, human_study, person, back, why)


def _confirm(request: Any, human_study: HumanStudy, person: str, back: bool, why: str | None) -> HttpResponse:
    workers = workers_of(human_study) if human_study.frozen else {}
    who = Person.objects.filter(pseudonym=person).first()
    if who is None or person not in workers:
        messages.error(request, why or _("Nobody of this pseudonym has judged here."))
        return redirect("human_study", human_study.study.slug, human_study.slug)
    crumbs = [
        {"url": reverse("study_human", args=[human_study.study.slug]), "label": _("Human studies")},
        {"url": reverse("human_study", args=[human_study.study.slug, human_study.slug]), "label": human_study.name},
    ]
    context = {
        "human": human_study, "label": str(who), "back": back, "why": why, "reason": request.POST.get("reason", ""),
        "answers": workers[person].answers, "effect": exclusion_effect(human_study, person, workers, back=back), "crumbs": crumbs,  # noqa: E501
    }  # fmt: skip
    return render(request, "evaluation/human_studies/rater.html", context, status=422 if why else 200)
