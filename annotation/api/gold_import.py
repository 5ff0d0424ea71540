"""The endpoints by which gold that was made elsewhere comes in."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, StrictSerializer, without_body
from annotation.actions.start_gold_import import bring_gold_in, start_gold_import
from annotation.gold.release.settings import gold_formats
from annotation.models import GoldImport
from corpora.models import Sentence


class NewGoldImport(StrictSerializer):
    file = serializers.FileField(help_text="A file or a ZIP archive, of a release of this site or in a published form.")
    form = serializers.ChoiceField(
        choices=list(gold_formats()), required=False, help_text="It is recognised where left out."
    )
    split = serializers.ChoiceField(
        choices=Sentence.Split.choices, default=Sentence.Split.TEST,
        help_text="For what says no split itself, neither in the file nor by a name such as train.txt.",
    )  # fmt: skip
    tune = serializers.FloatField(
        default=0, help_text="Of the texts to train on that stand for themselves, how many per cent are to tune on."
    )
    writes = serializers.BooleanField(
        default=False, help_text="Bring it in at once; otherwise it is looked at and counted first."
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
        given = NewGoldImport(data=request.data)
        given.is_valid(raise_exception=True)
        gold_import = start_gold_import(study=request.study, by=request.user, **given.validated_data)
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
