"""The endpoints of the gold export and of releases."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, StrictSerializer, query_parameters
from accounts.option_fields import body_of
from annotation.actions.start_release import start_release
from annotation.api.validation import validated
from annotation.campaigns.requested import release_or_404
from annotation.gold.release.downloads import release_download
from annotation.gold.release.settings import ReleaseFields
from annotation.gold.rewrites import REWRITE_FORMATS
from annotation.models import Release, ReleaseFile
from annotation.presenters.files import file_of

FORM = OpenApiParameter("format", str, enum=list(REWRITE_FORMATS), default="jsonl", description="the form of the file")
PLAIN = OpenApiResponse(OpenApiTypes.OBJECT, "The form cannot hold them.")


class Gold(APIView):
    """Download the gold rewrites with their provenance."""

    @query_parameters(
        FORM,
        responses={
            (200, "application/x-ndjson"): OpenApiTypes.STR,
            (200, "application/zip"): OpenApiTypes.BINARY,
            (200, "text/csv"): OpenApiTypes.STR,
            400: PLAIN,
        },
    )
    def get(self, request: Request, study: str) -> Any:
        """Stream the rewrites that count: accepted or not reviewed yet, each person's newest revision."""
        return file_of(request.study, request.query_params.get("format", "jsonl"))


class ReleaseFileShape(StrictModelSerializer):
    class Meta:
        model = ReleaseFile
        fields = ["name", "media_type", "size", "rows", "sha256"]
        read_only_fields = fields


class ReleaseShape(StrictModelSerializer):
    counts = serializers.DictField(read_only=True)
    files = ReleaseFileShape(many=True, read_only=True)

    class Meta:
        model = Release
        fields = ["number", "made_at", "changes", "license", "counts", "files"]
        read_only_fields = fields


class WholeReleaseShape(ReleaseShape):
    settings = serializers.DictField(read_only=True)
    guidelines = serializers.ListField(child=serializers.DictField(), read_only=True)

    class Meta(ReleaseShape.Meta):
        fields = [*ReleaseShape.Meta.fields, "settings", "guidelines", "datasheet"]
        read_only_fields = fields


AskedRelease = body_of(ReleaseFields, "AskedRelease")


class JobShape(StrictSerializer):
    job = serializers.IntegerField(help_text="the number of the job that makes it")


class Releases(APIView):
    """The releases of a study's gold."""

    @extend_schema(responses=ReleaseShape(many=True))
    def get(self, request: Request, study: str) -> Response:
        """List the releases, oldest first."""
        rows = request.study.releases.defer("digests", "datasheet", "guidelines", "key").prefetch_related("files")
        return Response(ReleaseShape(rows, many=True).data)

    @extend_schema(request=AskedRelease, responses={202: JobShape, 400: PLAIN})
    def post(self, request: Request, study: str) -> Response:
        """Ask for a release; a job makes it."""
        run = start_release(study=request.study, by=request.user, **validated(AskedRelease, request))
        return Response({"job": run.job_id}, status=202)


class OneRelease(APIView):
    """A release."""

    @extend_schema(responses=WholeReleaseShape)
    def get(self, request: Request, study: str, number: int) -> Response:
        """Show a release with its rules, guidelines and datasheet."""
        return Response(WholeReleaseShape(release_or_404(request, number)).data)


class OneFile(APIView):
    """A file of a release."""

    # Each file has the media type of its form.
    @extend_schema(operation_id="studies_releases_file_retrieve", responses={(200, "*/*"): OpenApiTypes.BINARY})
    def get(self, request: Request, study: str, number: int, name: str) -> Any:
        """Download a file; it is checked against its SHA-256 as it leaves."""
        release = release_or_404(request, number)
        return release_download(release, get_object_or_404(release.files, name=name))
