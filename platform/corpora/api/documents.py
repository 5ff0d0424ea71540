"""The endpoints of a study's documents and questions."""

from typing import Any

from django.db.models import Count
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from accounts.api_schema import StrictModelSerializer, StrictSerializer, query_parameters, without_body
from accounts.option_fields import fields_of
from accounts.permissions import Can
from corpora.actions.remove_document import remove_document
from corpora.actions.start_import import start_import
from corpora.api.base import FILE_PARSERS, StudyAPI, with_files
from corpora.documents import documents_of, with_counts
from corpora.fields import DocumentFields
from corpora.formats import DocumentFormat, names_of
from corpora.models import Document, DocumentSentence, Question, Upload

FILTERS = [
    OpenApiParameter(name, str, description=about)
    for name, about in {
        "q": "words of the title, or a code", "style": "a style", "topic": "a topic", "question": "a question's code",
        "split": "train, tune or test", "flagged": "1: those with flags to decide",
    }.items()
]  # fmt: skip


class DocumentRow(StrictModelSerializer):
    """A document in a list."""

    question = serializers.CharField(source="question.code", default=None, allow_null=True)
    sentences = serializers.IntegerField(source="sentence_count")
    held = serializers.IntegerField(source="held_count", help_text="Sentences whose flags are not decided yet.")

    class Meta:
        model = Document
        fields = [
            "id", "number", "style", "code", "title", "topic", "domain", "codes", "question", "split", "chosen",
            "origin", "sentences", "held",
        ]  # fmt: skip


class DocumentSentenceSerializer(StrictModelSerializer):
    """A sentence; the text of one that is held back or dropped is null for those who do not decide on it."""

    text = serializers.SerializerMethodField()
    translation = serializers.SerializerMethodField()
    flags = serializers.JSONField(read_only=True)

    class Meta:
        model = DocumentSentence
        fields = ["id", "number", "section", "text", "translation", "flags", "held", "dropped"]

    def get_text(self, sentence: DocumentSentence) -> str | None:
        return sentence.text if self._may_read(sentence) else None

    def get_translation(self, sentence: DocumentSentence) -> str | None:
        return sentence.translation if self._may_read(sentence) else None

    def _may_read(self, sentence: DocumentSentence) -> bool:
        return bool(self.context.get("decides")) or not (sentence.held or sentence.dropped)


class DocumentSerializer(DocumentRow):
    """A document with its sentences."""

    sentences = DocumentSentenceSerializer(many=True, source="in_order")

    class Meta(DocumentRow.Meta):
        fields = DocumentRow.Meta.fields


NewDocumentsSerializer = type("NewDocumentsSerializer", (StrictSerializer,), {
    "file": serializers.FileField(allow_empty_file=True),
    "format": serializers.ChoiceField(choices=names_of(DocumentFormat)),
    "style": serializers.CharField(default="", max_length=60, help_text="Where the file does not say it."),
    "encoding": serializers.CharField(default="", max_length=40),
    "category": serializers.CharField(default="", max_length=200, help_text="Of noteevents: the notes to take."),
    **fields_of(DocumentFields),
})  # fmt: skip


class UploadSerializer(StrictModelSerializer):
    """A file on its way in: follow its job."""

    state = serializers.CharField(source="job.state")

    class Meta:
        model = Upload
        fields = ["id", "job", "state", "name", "format", "style"]


class DocumentList(StudyAPI):
    serializer_class = DocumentRow
    pagination_class = api_settings.DEFAULT_PAGINATION_CLASS
    queryset = Document.objects.none()
    parser_classes = FILE_PARSERS

    @query_parameters(*FILTERS, responses=DocumentRow(many=True))
    def get(self, request: Request, study: str) -> Response:
        """The documents in order."""
        page = self.paginate_queryset(documents_of(self.study, request.query_params))
        return self.get_paginated_response(DocumentRow(with_counts(page), many=True).data)

    @with_files(NewDocumentsSerializer, responses={202: UploadSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Upload a file of documents; a job imports it."""
        own = {name: given[name] for name in ("file", "format", "style", "encoding", "hold_flagged")}
        defaults = {name: given[name] for name in ("question", "question_text", "topic", "domain")}
        options = {"category": given["category"]} if given["category"] else {}
        upload = start_import(study=self.study, options=options, defaults=defaults, by=request.user, **own)
        return Response(UploadSerializer(upload).data, status=202)


class DocumentDetail(StudyAPI):
    serializer_class = DocumentSerializer

    def get(self, request: Request, study: str, pk: int) -> Response:
        """A document with its sentences in order."""
        rows = self.study.documents.select_related("question")
        (one,) = with_counts([get_object_or_404(rows, pk=pk)])
        one.in_order = one.sentences.order_by("number")
        context = {"decides": self.study.can(request.user, Can.EDIT_STUDY)}
        return Response(DocumentSerializer(one, context=context).data)

    @without_body(responses={204: None})
    def delete(self, request: Request, study: str, pk: int) -> Response:
        """Take a document out of the study with its sentences, where nothing stands on it. It can be undone."""
        remove_document(document=get_object_or_404(self.study.documents, pk=pk), by=request.user)
        return Response(status=204)


class QuestionSerializer(StrictModelSerializer):
    documents = serializers.IntegerField(source="document_count")

    class Meta:
        model = Question
        fields = ["id", "number", "code", "text", "type", "focus", "kind", "topic", "chosen", "documents"]


class QuestionList(StudyAPI):
    serializer_class = QuestionSerializer
    pagination_class = api_settings.DEFAULT_PAGINATION_CLASS
    queryset = Question.objects.none()

    @extend_schema(responses=QuestionSerializer(many=True))
    def get(self, request: Request, study: str) -> Response:
        """The questions, with how many documents answer each."""
        rows: Any = self.study.questions.annotate(document_count=Count("documents")).order_by("number")
        return self.get_paginated_response(QuestionSerializer(self.paginate_queryset(rows), many=True).data)
