"""The endpoints of gold: its export, releases, imports, and what becomes texts of its study."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, StrictSerializer, query_parameters, with_body, without_body
from accounts.option_fields import body_of
from annotation.actions.adopt_gold import Adopted as AdoptedTexts
from annotation.actions.adopt_gold import AdoptionFields, adopt_gold, take_back_gold
from annotation.actions.start_gold_import import bring_gold_in, start_gold_import
from annotation.actions.start_release import start_release
from annotation.campaigns.requested import campaign_of, release_or_404
from annotation.gold.imports import GoldFields
from annotation.gold.release.downloads import release_download
from annotation.gold.release.settings import ReleaseFields
from annotation.gold.rewrites import REWRITE_FORMATS
from annotation.models import GoldImport, Release, ReleaseFile
from annotation.presenters.answers import file_of
from corpora.api.base import with_files

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
    settings = serializers.SerializerMethodField(
        help_text="Its rules, without the pseudonyms of people whose consent was withdrawn."
    )
    guidelines = serializers.ListField(child=serializers.DictField(), read_only=True)

    class Meta(ReleaseShape.Meta):
        fields = [*ReleaseShape.Meta.fields, "settings", "guidelines", "datasheet"]
        read_only_fields = fields

    def get_settings(self, release: Release) -> dict[str, Any]:
        return {name: value for name, value in release.settings.items() if name != "withdrawn"}


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

    @with_body(AskedRelease, responses={202: JobShape, 400: PLAIN})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Ask for a release; a job makes it."""
        run = start_release(study=request.study, by=request.user, **given)
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


NewGoldImport = body_of(
    GoldFields,
    "NewGoldImport",
    file=serializers.FileField(help_text="A file or a ZIP archive, of a release of this site or in a published form."),
    writes=serializers.BooleanField(
        default=False, help_text="Import it at once; otherwise it is looked at and counted first."
    ),
)


class GoldImportShape(StrictModelSerializer):
    """`found` says in numbers what would come, `brought` what came; both are null until the job has them."""

    state = serializers.CharField(source="job.state")
    error = serializers.CharField(source="job.error")
    job = serializers.IntegerField(source="job_id")

    class Meta:
        model = GoldImport
        fields = [
            "id",
            "job",
            "state",
            "error",
            "name",
            "form",
            "split",
            "tune",
            "writes",
            "found",
            "brought",
            "made_at",
        ]
        read_only_fields = fields


class GoldImports(APIView):
    parser_classes = (MultiPartParser,)

    @extend_schema(responses=GoldImportShape(many=True))
    def get(self, request: Request, study: str) -> Response:
        """The imports of gold, newest first."""
        return Response(GoldImportShape(request.study.gold_imports.select_related("job"), many=True).data)

    @with_files(NewGoldImport, responses={202: GoldImportShape})
    def post(self, request: Any, study: str, given: dict[str, Any]) -> Response:
        """Upload gold; a job looks at it and counts, or with `writes` imports it."""
        gold_import = start_gold_import(study=request.study, by=request.user, **given)
        return Response(GoldImportShape(gold_import).data, status=202)


class OneGoldImport(APIView):
    @extend_schema(responses=GoldImportShape)
    def get(self, request: Request, study: str, number: int) -> Response:
        """How far it is, and what it would bring or brought."""
        return Response(GoldImportShape(_import_or_404(request, number)).data)


class BringGoldIn(APIView):
    @without_body(responses={202: GoldImportShape})
    def post(self, request: Any, study: str, number: int) -> Response:
        """Import what was looked at; a job does it."""
        return Response(
            GoldImportShape(bring_gold_in(gold_import=_import_or_404(request, number), by=request.user)).data,
            status=202,
        )


def _import_or_404(request: Any, number: int) -> GoldImport:
    return get_object_or_404(request.study.gold_imports.select_related("job", "study"), pk=number)


Adoption = body_of(AdoptionFields, "Adoption")


class Adopted(StrictSerializer):
    reference_sets = serializers.IntegerField()
    references = serializers.IntegerField(help_text="References that stand in these sets now.")
    sources = serializers.IntegerField(help_text="Sources that are new.")
    taken_back = serializers.IntegerField(help_text="Sources that were adopted before and do not stand any more.")
    references_taken_back = serializers.IntegerField(
        help_text="References that were adopted before and do not stand any more: their answers were rejected, or wait."
    )
    stay = serializers.IntegerField(help_text="Such sources that stay, since outputs or work stand on them.")
    left_out = serializers.DictField(
        child=serializers.IntegerField(), help_text="Texts that are held out from training, by where they stand."
    )


class Adopt(APIView):
    @with_body(Adoption, responses=Adopted)
    def post(self, request: Any, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Make what people made, with the stages that check it, sources and references of the study; again: anew."""
        return _counts(adopt_gold(campaign=campaign_of(request, campaign), by=request.user, **given))

    @without_body(responses=Adopted)
    def delete(self, request: Any, study: str, campaign: str) -> Response:
        """Take back what was adopted of the campaign."""
        return _counts(take_back_gold(campaign=campaign_of(request, campaign), by=request.user))


def _counts(adopted: AdoptedTexts) -> Response:
    counts = {
        "references": adopted.references,
        "sources": adopted.sources,
        "taken_back": adopted.taken_back,
        "references_taken_back": adopted.references_taken_back,
        "stay": adopted.stay,
    }
    return Response({"reference_sets": len(adopted.sets), **counts, "left_out": dict(adopted.left)})
