"""The endpoints of imported judgements."""

import json
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, StrictSerializer, without_body
from corpora.formats import JudgementFormat, RatingColumns, TextFile, names_of
from evaluation.actions.remove_ratings import remove_ratings
from evaluation.actions.upload_ratings import upload_ratings
from evaluation.api.base import Detail
from evaluation.models import RatingsImport


class RatingsSerializer(StrictModelSerializer):
    judgements = serializers.IntegerField(source="size", read_only=True)

    class Meta:
        model = RatingsImport
        fields = ["number", "format", "file_name", "made_at", "judgements"]


class RatingsUpload(StrictSerializer):
    file = serializers.FileField(max_length=300)
    format = serializers.ChoiceField(choices=names_of(JudgementFormat), default="mturk")
    worker = serializers.CharField(max_length=200, help_text="the column of the worker")
    source = serializers.CharField(max_length=200, help_text="the column of the sources")
    output = serializers.CharField(max_length=200, help_text="the column of the outputs")
    response = serializers.CharField(max_length=200, help_text="the column of the answers")
    target_style = serializers.CharField(max_length=200, required=False, allow_null=True)
    seconds = serializers.CharField(max_length=200, required=False, allow_null=True)
    separator = serializers.CharField(
        max_length=10, default="\t", trim_whitespace=False, help_text="between the entries of a cell; a tab if left out"
    )
    encoding = serializers.CharField(max_length=40, required=False, allow_null=True, help_text="UTF-8 if left out")
    criteria = serializers.CharField(
        max_length=10_000, help_text='JSON: {"topic": {"scale": "likert_5", "aspect": "meaning"}}'
    )

    def validate_criteria(self, text: str) -> dict[str, dict[str, str]]:
        try:
            criteria = json.loads(text)
        except ValueError:
            raise serializers.ValidationError("This is not JSON.") from None
        if not isinstance(criteria, dict) or not all(_texts(criterion) for criterion in criteria.values()):
            raise serializers.ValidationError("Expected an object of objects of texts.")
        return criteria


def _texts(criterion: Any) -> bool:
    return isinstance(criterion, dict) and all(isinstance(value, str) for value in criterion.values())


class Ratings(ListAPIView):
    """Files of judgements that were collected elsewhere."""

    serializer_class = RatingsSerializer
    queryset = RatingsImport.objects.none()
    parser_classes = [MultiPartParser]

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return RatingsImport.objects.none()
        return _with_size(self.request.study)

    @extend_schema(request={"multipart/form-data": RatingsUpload}, responses={201: RatingsSerializer, 400: Detail})
    def post(self, request: Request, study: str) -> Response:
        """Upload a file; all of it goes in, or nothing."""
        asked = RatingsUpload(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        columns = {key: given.get(key) for key in ("worker", "source", "output", "response", "target_style", "seconds")}
        ratings_import = upload_ratings(
            study=request.study,
            format=given["format"],
            file=TextFile(
                given["file"], given["file"].name, encoding=given.get("encoding"), limit=settings.UPLOAD_LIMIT_BYTES
            ),
            columns=RatingColumns(**columns, separator=given["separator"]),
            criteria=given["criteria"],
            by=request.user,
        )
        return Response(RatingsSerializer(_with_size(request.study).get(pk=ratings_import.pk)).data, status=201)


class OneRatings(APIView):
    """One file of judgements."""

    @extend_schema(responses=RatingsSerializer)
    def get(self, request: Request, study: str, number: int) -> Response:
        return Response(RatingsSerializer(get_object_or_404(_with_size(request.study), number=number)).data)

    @without_body(responses={204: None})
    def delete(self, request: Request, study: str, number: int) -> Response:
        """Take the file's judgements away again."""
        ratings_import = get_object_or_404(request.study.ratings_imports, number=number)
        remove_ratings(ratings=ratings_import, by=request.user)
        return Response(status=204)


def _with_size(study: Any) -> Any:
    return study.ratings_imports.annotate(size=Count("judgements")).order_by("number")
