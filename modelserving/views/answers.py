"""Try it: a sentence is typed, and each of the study's models answers."""

from typing import Any

from allauth.core.internal import ratelimit
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.permissions import Can
from corpora.models import Direction
from foundation.errors import UserError
from modelserving.forms.answers import TryForm
from modelserving.presenters.answers import answers_context
from modelserving.typed_sentences import questions
from modelserving.typed_sentences.questions import Question


@require_http_methods(["GET", "HEAD", "POST"])
def try_it(request: Any, study: str) -> HttpResponse:
    """The page; a sentence that is sent comes back as a part that asks for the answers."""
    directions = list(request.study.directions.order_by("number"))
    given = request.POST if request.method == "POST" else None
    form = TryForm(given, directions=directions, language=request.study.language)
    question = _asked(request, form) if form.is_bound and form.is_valid() else None
    if request.htmx and question:
        return _answers(request, question)
    offered = questions.offered(request.study, _direction(form, directions)) if directions else []
    context = {
        "form": form, "offered": offered, "directions": directions,
        "may_run": request.study.can(request.user, Can.RUN_MODELS),
        "crumbs": [{"url": reverse("study_models", args=[study]), "label": _("Models")}],
        **(answers_context(question) if question else {}),
    }  # fmt: skip
    template = "modelserving/_try_errors.html" if request.htmx else "modelserving/try.html"
    return render(request, template, context, status=422 if form.errors else 200)


def _asked(request: Any, form: TryForm) -> Question | None:
    if not ratelimit.consume(request, app="allauth.account", action="try_it"):
        form.add_error("text", _("You have tried many sentences within a minute; wait a moment."))
        return None
    try:
        return questions.ask(study=request.study, person=request.user, **form.cleaned_data)
    except UserError as error:
        form.tell(error)
        return None


def _direction(form: TryForm, directions: list[Direction]) -> Direction:
    chosen = form.cleaned_data.get("direction") if form.is_bound else None
    return chosen or directions[0]


@require_safe
def try_answers(request: Any, study: str, key: str) -> HttpResponse:
    """The answers so far; as long as some are lacking, the part asks again."""
    question = questions.question_of_person(key, request.user, request.study)
    if question is None:
        if request.htmx:
            return render(request, "modelserving/_answers_gone.html")
        return redirect("try_it", study=study)
    return _answers(request, question)


def _answers(request: Any, question: Question) -> HttpResponse:
    return render(request, "modelserving/_answers.html", answers_context(question))
