"""The endpoints of a study's sentences and references."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from accounts.api_schema import StrictModelSerializer, StrictSerializer, query_parameters, without_body
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.remove_references import remove_references
from corpora.api.base import FILE_PARSERS, LayoutSerializer, StudyAPI, layout_of, with_files
from corpora.models import Reference, ReferenceSet, Sentence
from corpora.studies import direction_named
from corpora.texts.queries import counted, with_texts
from corpora.uploads import sources_in, text_file, texts_for

OF_DIRECTION = OpenApiParameter("direction", str, description="source-target; all directions where it is left out")


class SentenceSerializer(StrictModelSerializer):
    direction = serializers.CharField(source="direction.name")
    references = serializers.SerializerMethodField()
    outputs = serializers.SerializerMethodField()

    class Meta:
        model = Sentence
        fields = ["id", "direction", "number", "text", "split", "domain", "references", "outputs"]

    def get_references(self, sentence: Sentence) -> list[str]:
        return [text for _, text in sentence.shown_references]

    def get_outputs(self, sentence: Sentence) -> dict[str, str]:
        return dict(sentence.shown_outputs)


class NewSourcesSerializer(StrictSerializer):
    direction = serializers.CharField(max_length=121)
    file = serializers.FileField(allow_empty_file=True, help_text="One text a line.")
    split = serializers.ChoiceField(choices=Sentence.Split.choices, default=Sentence.Split.TEST)
    domain = serializers.CharField(default="", max_length=100)
    encoding = serializers.CharField(default="", max_length=40)


class AddedSerializer(StrictSerializer):
    """How many rows were added, and how many were left out, since they are held out to test with."""

    added = serializers.IntegerField()
    left_out = serializers.IntegerField()
    said = serializers.CharField(help_text="Where those that were left out stand, in a sentence; empty for none.")


class SentenceList(StudyAPI):
    serializer_class = SentenceSerializer
    pagination_class = api_settings.DEFAULT_PAGINATION_CLASS
    queryset = Sentence.objects.none()
    parser_classes = FILE_PARSERS

    @query_parameters(OF_DIRECTION, responses=SentenceSerializer(many=True))
    def get(self, request: Request, study: str) -> Response:
        """The sentences in order, with their references and outputs."""
        rows = Sentence.objects.filter(direction__study=self.study).select_related("direction")
        if name := request.query_params.get("direction"):
            rows = rows.filter(direction=direction_named(self.study, name))
        page = self.paginate_queryset(rows.order_by("direction__number", "number"))
        return self.get_paginated_response(SentenceSerializer(with_texts(page), many=True).data)

    @with_files(NewSourcesSerializer, responses={201: AddedSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Add sources to a direction, a line each."""
        direction = direction_named(self.study, given["direction"])
        texts = sources_in(text_file(given["file"], encoding=given["encoding"]))
        added = add_sources(direction=direction, texts=texts, split=given["split"], domain=given["domain"])
        return Response({"added": added.count, "left_out": len(added.left_out), "said": added.said}, status=201)


class ReferenceSetSerializer(StrictModelSerializer):
    direction = serializers.CharField(source="direction.name")
    references = serializers.IntegerField(source="reference_count")

    class Meta:
        model = ReferenceSet
        fields = ["id", "direction", "number", "origin", "marks", "references", "made_at"]
        extra_kwargs = {"number": {"help_text": "From 0; pages and tables count from 1: number 0 is reference 1."}}


class NewReferencesSerializer(LayoutSerializer):
    direction = serializers.CharField(max_length=121)
    file = serializers.FileField(allow_empty_file=True)
    marks = serializers.ChoiceField(
        choices=ReferenceSet.Marks.choices, default="", allow_blank=True,
        help_text='"brackets": full forms of terms stand in square brackets.',
    )  # fmt: skip


class ReferenceList(StudyAPI):
    serializer_class = ReferenceSetSerializer
    parser_classes = FILE_PARSERS

    @extend_schema(responses=ReferenceSetSerializer(many=True))
    def get(self, request: Request, study: str) -> Response:
        """The sets of references; their texts stand with the sentences."""
        return Response(ReferenceSetSerializer(_sets(self.study), many=True).data)

    @with_files(NewReferencesSerializer, responses={201: ReferenceSetSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Add a set of references from a file, line by line or joined on the source."""
        layout = layout_of(given)
        direction = direction_named(self.study, given["direction"])
        file = text_file(given["file"], encoding=layout.encoding)
        texts = texts_for(direction, file, layout, missing=given["missing"])
        made = add_references(direction=direction, texts=texts, origin=given["file"].name, marks=given["marks"])
        return Response(ReferenceSetSerializer(_sets(self.study).get(pk=made.pk)).data, status=201)


class ReferenceDetail(StudyAPI):
    @without_body(responses={204: None})
    def delete(self, request: Request, study: str, pk: int) -> Response:
        """Take a set of references out of the study, where nothing depends on it."""
        there = get_object_or_404(ReferenceSet, pk=pk, direction__study=self.study)
        remove_references(references=there, by=request.user)
        return Response(status=204)


def _sets(study: Any) -> Any:
    rows = ReferenceSet.objects.filter(direction__study=study).select_related("direction")
    return rows.annotate(reference_count=counted(Reference, "set")).order_by("direction__number", "number")
