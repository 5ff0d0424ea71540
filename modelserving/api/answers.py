"""The endpoints of sentences that are tried: asked with POST, answered by the queue `serve`, read with GET."""

from typing import Any

from allauth.core.internal import ratelimit
from django.http import Http404
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_schema import StrictSerializer, with_body
from corpora.api.base import StudyAPI
from corpora.studies import direction_named
from modelserving import typed_sentences
from modelserving.typed_sentences import Question

STATES = [typed_sentences.WAITING, typed_sentences.WORKING, typed_sentences.DONE, typed_sentences.FAILED]


class TriedAnswerSerializer(StrictSerializer):
    """A model's answer to the text. `loading`: the seconds it took to be loaded before, 0 where it was there."""

    model = serializers.CharField(help_text="A model that needs no training, or 'checkpoint-' and a checkpoint's id.")
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=STATES)
    text = serializers.CharField(allow_blank=True)
    error = serializers.CharField(allow_blank=True)
    seconds = serializers.FloatField()
    loading = serializers.FloatField()


class TriedTextSerializer(StrictSerializer):
    """A text with its answers so far. `over`: nothing more will come. `missed`: no worker gives a sign."""

    id = serializers.CharField()
    text = serializers.CharField()
    source_style = serializers.CharField()
    target_style = serializers.CharField()
    over = serializers.BooleanField()
    missed = serializers.BooleanField()
    answers = TriedAnswerSerializer(many=True)


class TextToTry(StrictSerializer):
    text = serializers.CharField(help_text=f"At most {typed_sentences.MOST_TEXT:,} characters.")
    direction = serializers.CharField(max_length=121, help_text="source-target")
    models = serializers.ListField(
        child=serializers.CharField(max_length=80), required=False, max_length=typed_sentences.MOST_MODELS,
        help_text="Which models answer; all that the study has where it is left out.",
    )  # fmt: skip


def said(question: Question) -> dict[str, Any]:
    """The question as the API shows it."""
    answers = question.answers()
    rows = [
        {"model": asked.key, "name": asked.name, **vars(answer)}
        for asked, answer in zip(question.models, answers, strict=True)
    ]
    source, target = question.direction
    return {
        "id": question.key, "text": question.text, "source_style": source, "target_style": target,
        "over": typed_sentences.is_over(question, answers), "missed": typed_sentences.is_missed(question, answers),
        "answers": rows,
    }  # fmt: skip


class Answers(StudyAPI):
    serializer_class = TriedTextSerializer

    @with_body(TextToTry, responses={202: TriedTextSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Ask the study's models to rewrite a text; ask for the answers by the id. They are kept for ten minutes."""
        if not ratelimit.consume(request, app="allauth.account", action="try_it"):
            raise Throttled(detail="You have tried many sentences within a minute; wait a moment.")
        direction = direction_named(self.study, given.pop("direction"))
        question = typed_sentences.ask(study=self.study, person=request.user, direction=direction, **given)
        return Response(said(question), status=202)


class AnswersOf(StudyAPI):
    serializer_class = TriedTextSerializer

    def get(self, request: Request, study: str, key: str) -> Response:
        """The answers so far, for whoever asked."""
        question = typed_sentences.question_of_person(key, request.user, self.study)
        if question is None:
            raise Http404
        return Response(said(question))
