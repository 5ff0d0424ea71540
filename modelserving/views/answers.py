"""Try it: a sentence is typed, and each of the study's models answers."""

from dataclasses import dataclass
from typing import Any

from allauth.core.internal import ratelimit
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.permissions import Can
from accounts.telling import telling
from corpora.models import Direction
from foundation.word_diff import Piece
from modelserving import typed_sentences
from modelserving.forms.runs import TryForm
from modelserving.presenters.labels import label_of, marked_changes, moment
from modelserving.typed_sentences import Answer, AskedModel, Question

# A question's answers as the page shows them.

QUICK, SLOW, SLOW_AFTER = 1, 3, 15  # seconds


@dataclass(frozen=True)
class AnswerView:
    """A model's answer; `pieces` marks its changes of the text."""

    asked: AskedModel
    answer: Answer
    pieces: list[Piece]
    unchanged: bool

    @property
    def label(self) -> str:
        return label_of(self.asked.model)

    @property
    def took(self) -> str:
        return moment(self.answer.seconds)

    @property
    def loading(self) -> str:
        return moment(self.answer.loading) if self.answer.loading else ""


def answers_context(question: Question) -> dict[str, Any]:
    """The context of the part with the answers."""
    answers = question.answers()
    return {
        "question": question,
        "answers": [_shown(question, *one) for one in zip(question.models, answers, strict=True)],
        "there": sum(answer.state in (typed_sentences.DONE, typed_sentences.FAILED) for answer in answers),
        "over": typed_sentences.is_over(question, answers),
        "missed": typed_sentences.is_missed(question, answers),
        "wait": QUICK if question.age < SLOW_AFTER else SLOW,
    }


def _shown(question: Question, asked: AskedModel, answer: Answer) -> AnswerView:
    same = answer.state == typed_sentences.DONE and answer.text == question.text
    return AnswerView(asked, answer, marked_changes(question.text, answer.text), same)


@require_http_methods(["GET", "HEAD", "POST"])
def try_it(request: Any, study: str) -> HttpResponse:
    """The page; a sentence that is sent comes back as a part that asks for the answers."""
    directions = list(request.study.directions.order_by("number"))
    given = request.POST if request.method == "POST" else None
    form = TryForm(given, directions=directions, language=request.study.language)
    question = _asked(request, form) if form.is_bound and form.is_valid() else None
    if request.htmx and question:
        return _answers(request, question)
    offered = typed_sentences.offered(request.study, _direction(form, directions)) if directions else []
    context = {
        "form": form, "offered": offered, "directions": directions,
        "may_run": request.study.can(request.user, Can.RUN_MODELS),
        **(answers_context(question) if question else {}),
    }  # fmt: skip
    template = "modelserving/_try_errors.html" if request.htmx else "modelserving/try.html"
    return render(request, template, context, status=422 if form.errors else 200)


def _asked(request: Any, form: TryForm) -> Question | None:
    if not ratelimit.consume(request, app="allauth.account", action="try_it"):
        form.add_error("text", _("You have tried many sentences within a minute; wait a moment."))
        return None
    with telling(form):
        return typed_sentences.ask(study=request.study, person=request.user, **form.cleaned_data)
    return None


def _direction(form: TryForm, directions: list[Direction]) -> Direction:
    chosen = form.cleaned_data.get("direction") if form.is_bound else None
    return chosen or directions[0]


@require_safe
def try_answers(request: Any, study: str, key: str) -> HttpResponse:
    """The answers so far; as long as some are lacking, the part asks again."""
    question = typed_sentences.question_of_person(key, request.user, request.study)
    if question is None:
        if request.htmx:
            return render(request, "modelserving/_answers_gone.html")
        return redirect("try_it", study=study)
    return _answers(request, question)


def _answers(request: Any, question: Question) -> HttpResponse:
    return render(request, "modelserving/_answers.html", answers_context(question))
