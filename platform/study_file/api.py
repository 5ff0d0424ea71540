"""The endpoint that takes a study file."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictSerializer, query_parameters
from corpora.api.base import FILE_PARSERS, with_files
from study_file.files import study_as_file
from study_file.study_archive import TABLES, WRITERS
from study_file.uploads import apply_uploads


class StudyFileSerializer(StrictSerializer):
    study = serializers.FileField(help_text="The study file (TOML), or a study's archive (ZIP).")
    files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True), default=list,
        help_text="The files that it names, matched by their last path part.",
    )  # fmt: skip


class AppliedSerializer(StrictSerializer):
    """The names of the parts that an application added; none where there was nothing to change."""

    study = serializers.CharField()
    added = serializers.ListField(child=serializers.CharField())


class StudyExport(APIView):
    """A study as one file."""

    @query_parameters(
        OpenApiParameter("file", str, enum=list(TABLES), description="One table; all of the study where left out."),
        OpenApiParameter("format", str, enum=list(WRITERS), default="csv", description="The form of that table."),
        responses={
            (200, "application/zip"): OpenApiTypes.BINARY,
            **{(200, media.partition(";")[0]): OpenApiTypes.BINARY for _, media in WRITERS.values()},
        },
    )
    def get(self, request: Request, study: str) -> Any:
        """Stream the archive of the study: its texts, outputs and judgements, and the study file that names them.

        With `file` the sources, references, outputs or judgements alone, as a table that can be imported.
        """
        file, form = request.query_params.get("file", ""), request.query_params.get("format", "csv")
        return study_as_file(request.study, request.user, file, form)


class StudyApply(GenericAPIView):
    serializer_class = StudyFileSerializer
    parser_classes = FILE_PARSERS

    @with_files(StudyFileSerializer, responses=AppliedSerializer)
    def post(self, request: Request, given: dict[str, Any]) -> Response:
        """Set up the study that a study file declares; applied again it changes nothing."""
        study, added = apply_uploads(**given, by=request.user)
        return Response({"study": study.slug, "added": added})
