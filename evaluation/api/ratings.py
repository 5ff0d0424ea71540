"""The endpoints of imported judgements."""

from typing import Any

from django.conf import settings
from django.db.models import Count
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, without_body
from accounts.option_fields import body_of
from corpora.api.base import Listing, ObjectField, with_files
from corpora.formats import RatingColumns, TextFile
from evaluation.actions.remove_ratings import remove_ratings
from evaluation.actions.upload_ratings import RatingsFields, upload_ratings
from evaluation.api.base import Detail
from evaluation.models import RatingsImport


class RatingsSerializer(StrictModelSerializer):
    judgements = serializers.IntegerField(source="size", read_only=True)

    class Meta:
        model = RatingsImport
        fields = ["number", "format", "file_name", "made_at", "judgements"]


RatingsUpload = body_of(
    RatingsFields, "RatingsUpload",
    file=serializers.FileField(max_length=300),
    encoding=serializers.CharField(max_length=40, default=None, allow_null=True, help_text="UTF-8 if left out"),
    criteria=ObjectField(
        max_length=10_000, help_text='JSON: {"topic": {"scale": "likert_5", "aspect": "meaning"}}'
    ),
)  # fmt: skip


class Ratings(Listing):
    """Files of judgements that were collected elsewhere."""

    serializer_class = RatingsSerializer
    queryset = RatingsImport.objects.none()
    parser_classes = [MultiPartParser]

    def rows(self) -> Any:
        return _with_size(self.request.study)

    @with_files(RatingsUpload, responses={201: RatingsSerializer, 400: Detail})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Upload a file; all of it goes in, or nothing."""
        file, encoding = given.pop("file"), given.pop("encoding")
        ratings_import = upload_ratings(
            study=request.study, format=given.pop("format"), criteria=given.pop("criteria"),
            file=TextFile(file, file.name, encoding=encoding, limit=settings.UPLOAD_LIMIT_BYTES),
            columns=RatingColumns(**given), by=request.user,
        )  # fmt: skip
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
