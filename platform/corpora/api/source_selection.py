"""The endpoints of flags, selections and splits."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from accounts.api_schema import StrictModelSerializer, StrictSerializer, with_body
from accounts.option_fields import fields_of
from corpora.actions.assign_splits import assign_splits
from corpora.actions.decide_flags import DECISIONS, decide_flags
from corpora.actions.select_sources import select_sources
from corpora.actions.start_selection import start_selection
from corpora.api.base import StudyAPI
from corpora.background_jobs import needs_job
from corpora.documents import held_of, split_counts
from corpora.fields import NewSelectionFields, SplitFields
from corpora.knowledge.identifiers import KINDS
from corpora.models import DocumentSentence
from corpora.source_selection import Choice, SelectionCriteria, choose_sentences
from corpora.splits import SPLITS
from corpora.studies import direction_named
from foundation.errors import UserError
from jobs.api import JobSerializer


class FlaggedSerializer(StrictModelSerializer):
    class Meta:
        model = DocumentSentence
        fields = ["id", "document", "number", "section", "text", "flags"]


class DecisionRequest(StrictSerializer):
    """Either `sentences`, or `kind`: all held sentences whose flags are of that kind alone."""

    decision = serializers.ChoiceField(choices=DECISIONS)
    sentences = serializers.ListField(child=serializers.IntegerField(), max_length=10_000, required=False)
    kind = serializers.ChoiceField(choices=KINDS, required=False)


class DecidedSerializer(StrictSerializer):
    decided = serializers.IntegerField()


class FlagList(StudyAPI):
    serializer_class = FlaggedSerializer
    pagination_class = api_settings.DEFAULT_PAGINATION_CLASS
    queryset = DocumentSentence.objects.none()

    @extend_schema(responses=FlaggedSerializer(many=True))
    def get(self, request: Request, study: str) -> Response:
        """The sentences that are held back, with their flags: `start` and `end` in characters, `kind`."""
        page = self.paginate_queryset(held_of(self.study))
        return self.get_paginated_response(FlaggedSerializer(page, many=True).data)

    @with_body(DecisionRequest, responses=DecidedSerializer)
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Decide: clear, mask or drop."""
        if ("sentences" in given) == ("kind" in given):
            raise UserError("Give either the sentences or the kind of flag.", where="sentences")
        rows = held_of(self.study, kind=given.get("kind", ""), only=True)
        if "sentences" in given:
            rows = rows.filter(pk__in=given["sentences"])
        count = decide_flags(study=self.study, sentences=rows, decision=given["decision"], by=request.user)
        return Response({"decided": count})


SelectionRequest = type("SelectionRequest", (StrictSerializer,), {
    "__doc__": "Which sentences of documents become sources; with `preview`, they are only counted.",
    "direction": serializers.CharField(max_length=121),
    "settings": serializers.DictField(required=False),
    **fields_of(NewSelectionFields),
    "preview": serializers.BooleanField(default=False),
})  # fmt: skip


class SelectedSerializer(StrictSerializer):
    """How many were selected (or would be), and how many not, by reason."""

    selected = serializers.IntegerField()
    left_out = serializers.DictField(child=serializers.IntegerField())


class SelectionList(StudyAPI):
    serializer_class = SelectionRequest

    @with_body(SelectionRequest, responses={200: SelectedSerializer, 201: SelectedSerializer, 202: JobSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Select sentences of documents as sources of a direction. A job does it for very many: follow it (202)."""
        direction = direction_named(self.study, given.pop("direction"))
        preview, split = given.pop("preview"), given.pop("split")
        wish = SelectionCriteria(**{**given, "settings": given.get("settings", {})})
        if needs_job(direction, wish):
            run = start_selection(direction=direction, wish=wish, split=split, preview=preview, by=request.user)
            return Response(JobSerializer(run.job).data, status=202)
        if preview:
            return Response(_counts(choose_sentences(direction, wish, split=split)))
        choice = select_sources(direction=direction, wish=wish, split=split, by=request.user)
        return Response(_counts(choice), status=201)


def _counts(choice: Choice) -> dict[str, Any]:
    return {"selected": len(choice.taken), "left_out": dict(choice.left)}


SplitRequest = type("SplitRequest", (StrictSerializer,), fields_of(SplitFields))


class SplitCounts(StrictSerializer):
    """How many documents and source sentences are in train, tune and test (`none`: in no split)."""

    documents = serializers.DictField(child=serializers.IntegerField())
    sentences = serializers.DictField(child=serializers.IntegerField())
    held_out = serializers.DictField(
        child=serializers.IntegerField(), required=False,
        help_text="Sources to train or tune on that trainings leave out, by where they stand besides; after a PUT.",
    )  # fmt: skip


class SplitList(StudyAPI):
    serializer_class = SplitCounts

    def get(self, request: Request, study: str) -> Response:
        """How the texts are split."""
        return Response(self.get_object())

    @with_body(SplitRequest, responses=SplitCounts)
    def put(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Share documents and sources out anew, in per cent."""
        proportions = {name: given[name] for name in SPLITS}
        counts = assign_splits(
            study=self.study, rule=given["rule"], proportions=proportions, seed=given["seed"], by=request.user
        )
        return Response({**self.get_object(), "held_out": dict(counts["held_out"])})

    def get_object(self) -> dict[str, Any]:
        return {name: {bar.label: bar.count for bar in rows} for name, rows in split_counts(self.study).items()}
