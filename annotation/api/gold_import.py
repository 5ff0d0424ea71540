"""The endpoints by which gold that was made elsewhere comes in."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, without_body
from accounts.option_fields import body_of
from annotation.actions.start_gold_import import bring_gold_in, start_gold_import
from annotation.api.validation import validated
from annotation.gold.imports import GoldFields
from annotation.models import GoldImport

NewGoldImport = body_of(
    GoldFields,
    "NewGoldImport",
    file=serializers.FileField(help_text="A file or a ZIP archive, of a release of this site or in a published form."),
    writes=serializers.BooleanField(
        default=False, help_text="Bring it in at once; otherwise it is looked at and counted first."
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

    @extend_schema(request={"multipart/form-data": NewGoldImport}, responses={202: GoldImportShape})
    def post(self, request: Any, study: str) -> Response:
        """Upload gold; a job looks at it and counts, or with `writes` brings it in."""
        gold_import = start_gold_import(study=request.study, by=request.user, **validated(NewGoldImport, request))
        return Response(GoldImportShape(gold_import).data, status=202)


class OneGoldImport(APIView):
    @extend_schema(responses=GoldImportShape)
    def get(self, request: Request, study: str, number: int) -> Response:
        """How far it is, and what it would bring or brought."""
        return Response(GoldImportShape(_import_or_404(request, number)).data)


class BringGoldIn(APIView):
    @without_body(responses={202: GoldImportShape})
    def post(self, request: Any, study: str, number: int) -> Response:
        """Bring in what was looked at; a job does it."""
        return Response(
            GoldImportShape(bring_gold_in(gold_import=_import_or_404(request, number), by=request.user)).data,
            status=202,
        )


def _import_or_404(request: Any, number: int) -> GoldImport:
    return get_object_or_404(request.study.gold_imports.select_related("job", "study"), pk=number)
