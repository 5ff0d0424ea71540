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
from evaluation.human_studies.exclusion_effects import exclusion_effect
from evaluation.human_studies.workers import workers_of
from evaluation.models import HumanStudy
from evaluation.views.human import human_study_of
from foundation.errors import UserError


@require_http_methods(["GET", "HEAD", "POST"])
def human_rater(request: Any, study: str, human: str, rater: UUID) -> HttpResponse:
    """What changes where this person is left out, or back in: first shown, then done."""
    found, person, why = human_study_of(request, human), str(rater), None
    back = any(one["person"] == person for one in found.excluded)
    if request.method == "POST":
        try:
            if back:
                include_rater(human_study=found, person=person, by=request.user)
            else:
                exclude_rater(human_study=found, person=person, reason=request.POST.get("reason", ""), by=request.user)
            return redirect("human_study", study, human)
        except UserError as error:
            why = error.sentence
    return _confirm(request, found, person, back, why)


def _confirm(request: Any, found: HumanStudy, person: str, back: bool, why: str | None) -> HttpResponse:
    workers = workers_of(found) if found.frozen else {}
    who = Person.objects.filter(pseudonym=person).first()
    if who is None or person not in workers:
        messages.error(request, why or _("Nobody of this pseudonym has judged here."))
        return redirect("human_study", found.study.slug, found.slug)
    crumbs = [
        {"url": reverse("study_human", args=[found.study.slug]), "label": _("Human studies")},
        {"url": reverse("human_study", args=[found.study.slug, found.slug]), "label": found.name},
    ]
    context = {
        "human": found, "label": str(who), "back": back, "why": why, "reason": request.POST.get("reason", ""),
        "answers": workers[person].answers, "effect": exclusion_effect(found, person, workers, back=back), "crumbs": crumbs,  # noqa: E501
    }  # fmt: skip
    return render(request, "evaluation/human_studies/rater.html", context, status=422 if why else 200)
