"""The endpoint that takes a study file."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema.strict_serializers import StrictSerializer, query_parameters
from corpora.api.base import FILE_PARSERS, uploaded
from study_file.uploads import apply_uploads
from study_file.views import study_as_file


class StudyFileSerializer(StrictSerializer):
    study = serializers.FileField(help_text="The study file (TOML), or a study's archive (ZIP).")
    files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True), default=list,
        help_text="The files that it names, matched by their last path part.",
    )  # fmt: skip


class AppliedSerializer(StrictSerializer):
    """What an application added: the names of the parts, none where there was nothing to change."""

    study = serializers.CharField()
    added = serializers.ListField(child=serializers.CharField())


class StudyExport(APIView):
    """A study as one file."""

    @query_parameters(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, study: str) -> Any:
        """Stream the archive of the study: its texts, outputs and judgements, and the study file that names them."""
        return study_as_file(request.study, request.user)


class StudyApply(GenericAPIView):
    serializer_class = StudyFileSerializer
    parser_classes = FILE_PARSERS

    @extend_schema(request={"multipart/form-data": StudyFileSerializer}, responses=AppliedSerializer)
    def post(self, request: Request) -> Response:
        """Set up the study that a study file declares; applied again it changes nothing."""
        study, added = apply_uploads(**uploaded(StudyFileSerializer, request), by=request.user)
        return Response({"study": study.slug, "added": added})
