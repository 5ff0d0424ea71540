"""The endpoints of metrics, reports and judgements from elsewhere."""

import json
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.generics import ListAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.permissions import Can, require
from corpora.formats import JudgementFormat, RatingColumns, TextFile, names_of
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.choose_report import CORRECTIONS, VARIANTS, choose_report
from evaluation.actions.remove_ratings import remove_ratings
from evaluation.actions.start_metrics import start_metrics
from evaluation.actions.upload_ratings import upload_ratings
from evaluation.models import MetricRun, RatingsImport, Report, ReportChoice
from evaluation.rendering import forms_of
from evaluation.state import state_key
from evaluation.views.report import file_of
from foundation.errors import UserError

Detail = inline_serializer("Detail", {"detail": serializers.CharField()})


class MetricsSerializer(serializers.Serializer):
    metrics = serializers.DictField(
        child=serializers.DictField(child=serializers.JSONField()),
        help_text='The metrics by name, each with its settings: {"bleu": {"lowercase": true}}',
    )


class MetricChoices(APIView):
    """The metrics that a study is scored with."""

    @extend_schema(responses=MetricsSerializer)
    def get(self, request: Request, study: str) -> Response:
        """The chosen metrics with all their settings."""
        return Response(_choices(request.study))

    @extend_schema(request=MetricsSerializer, responses={200: MetricsSerializer, 400: Detail})
    def put(self, request: Request, study: str) -> Response:
        """Choose the metrics; those that are not named are left out."""
        require(request.user, Can.RUN_METRICS, request.study)
        asked = MetricsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        choose_metrics(study=request.study, metrics=asked.validated_data["metrics"])
        return Response(_choices(request.study))


def _choices(study: Any) -> dict[str, Any]:
    return {"metrics": dict(study.metric_choices.values_list("metric", "settings"))}


class MetricRunSerializer(serializers.ModelSerializer):
    state = serializers.CharField(source="job.state")
    done = serializers.IntegerField(source="job.done")
    total = serializers.IntegerField(source="job.total")

    class Meta:
        model = MetricRun
        fields = ["id", "job", "state", "done", "total"]


class MetricRuns(ListAPIView):
    """The jobs that score a study's systems and make its report, newest first."""

    serializer_class = MetricRunSerializer
    queryset = MetricRun.objects.none()

    def get_queryset(self):
        if getattr(self, "swagger_fake_view", False):
            return MetricRun.objects.none()
        return self.request.study.metric_runs.select_related("job").order_by("-pk")

    @extend_schema(request=None, responses={201: MetricRunSerializer, 400: Detail})
    def post(self, request: Request, study: str) -> Response:
        """Queue a job; what depends on nothing that has changed is not worked out again."""
        require(request.user, Can.RUN_METRICS, request.study)
        run = start_metrics(study=request.study, by=request.user)
        return Response(MetricRunSerializer(run).data, status=201)


class ReportView(APIView):
    """The report of a study as it was last worked out."""

    @extend_schema(
        parameters=[
            OpenApiParameter("format", str, enum=list(forms_of("report")), default="json", description="its form")
        ],
        responses={
            (200, "application/json"): OpenApiTypes.OBJECT,
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "text/markdown"): OpenApiTypes.STR,
            (200, "application/x-latex"): OpenApiTypes.STR,
            400: Detail,
            404: Detail,
        },
    )
    def get(self, request: Request, study: str):
        """The form of the JSON is in the documentation; the header `Restyle-Out-Of-Date` says whether to renew it."""
        form = request.query_params.get("format", "json")
        if form not in (forms := forms_of("report")):
            raise UserError(f"There is no form '{form}'; there are {', '.join(forms)}.", where="format")
        report = Report.objects.select_related("study").filter(study=request.study).first()
        if report is None:
            raise NotFound("The report has not been worked out yet.")
        answer = file_of(report, form)
        answer["Restyle-Out-Of-Date"] = "yes" if report.key != state_key(request.study) else "no"
        return answer


class ReportChoiceSerializer(serializers.Serializer):
    baseline = serializers.CharField(
        max_length=100, allow_null=True, required=False, help_text="a system's name; null: the first that is no person"
    )
    alpha = serializers.FloatField(default=0.05)
    correction = serializers.ChoiceField(choices=CORRECTIONS, default="holm")
    variant = serializers.ChoiceField(choices=VARIANTS, default="raw", help_text="which judgements lead")


class ReportChoices(APIView):
    """How the report of a study compares systems."""

    @extend_schema(responses=ReportChoiceSerializer)
    def get(self, request: Request, study: str) -> Response:
        return Response(_report_choice(request.study))

    @extend_schema(request=ReportChoiceSerializer, responses={200: ReportChoiceSerializer, 400: Detail})
    def put(self, request: Request, study: str) -> Response:
        """Choose; what is left out is as usual. The report has to be worked out anew."""
        asked = ReportChoiceSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given = dict(asked.validated_data)
        name = given.pop("baseline", None)
        baseline = request.study.systems.filter(name=name).first() if name else None
        if name and baseline is None:
            raise UserError(f"The study has no system '{name}'.", where="baseline")
        choose_report(study=request.study, baseline=baseline, by=request.user, **given)
        return Response(_report_choice(request.study))


def _report_choice(study: Any) -> dict[str, Any]:
    chosen = ReportChoice.objects.select_related("baseline").filter(study=study).first() or ReportChoice()
    return {
        "baseline": chosen.baseline.name if chosen.baseline else None,
        "alpha": chosen.alpha,
        "correction": chosen.correction,
        "variant": chosen.variant,
    }


class RatingsSerializer(serializers.ModelSerializer):
    judgements = serializers.IntegerField(source="size", read_only=True)

    class Meta:
        model = RatingsImport
        fields = ["number", "format", "file_name", "made_at", "judgements"]


class RatingsUpload(serializers.Serializer):
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
            found = json.loads(text)
        except ValueError:
            raise serializers.ValidationError("This is not JSON.") from None
        if not isinstance(found, dict) or not all(_texts(one) for one in found.values()):
            raise serializers.ValidationError("Expected an object of objects of texts.")
        return found


def _texts(one: Any) -> bool:
    return isinstance(one, dict) and all(isinstance(value, str) for value in one.values())


class Ratings(ListAPIView):
    """Files of judgements that were collected elsewhere."""

    serializer_class = RatingsSerializer
    queryset = RatingsImport.objects.none()
    parser_classes = [MultiPartParser]

    def get_queryset(self):
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
        made = upload_ratings(
            study=request.study,
            format=given["format"],
            file=TextFile(
                given["file"], given["file"].name, encoding=given.get("encoding"), limit=settings.UPLOAD_LIMIT_BYTES
            ),
            columns=RatingColumns(**columns, separator=given["separator"]),
            criteria=given["criteria"],
            by=request.user,
        )
        return Response(RatingsSerializer(_with_size(request.study).get(pk=made.pk)).data, status=201)


class OneRatings(APIView):
    """One file of judgements."""

    @extend_schema(responses=RatingsSerializer)
    def get(self, request: Request, study: str, number: int) -> Response:
        return Response(RatingsSerializer(get_object_or_404(_with_size(request.study), number=number)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, study: str, number: int) -> Response:
        """Take the file's judgements away again."""
        remove_ratings(ratings=get_object_or_404(request.study.ratings_imports, number=number))
        return Response(status=204)


def _with_size(study: Any):
    return study.ratings_imports.annotate(size=Count("judgements")).order_by("number")
