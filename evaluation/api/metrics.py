"""The endpoints of the chosen metrics, and of the jobs that score with them."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, StrictSerializer, with_body, without_body
from corpora.api.base import Listing
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.start_metrics import start_metrics
from evaluation.api.base import Detail
from evaluation.metric_selection import language_of, why_no_score
from evaluation.models import MetricRun


class MetricsSerializer(StrictSerializer):
    metrics = serializers.DictField(
        child=serializers.DictField(child=serializers.JSONField()),
        help_text='The metrics by name, each with its settings: {"bleu": {"lowercase": true}}',
    )


class ChosenMetricsSerializer(MetricsSerializer):
    undefined = serializers.DictField(
        child=serializers.CharField(),
        help_text="of those that will have no score, why: of the study's language, or what is not on this machine",
    )


class MetricChoices(APIView):
    """The metrics that a study is scored with."""

    @extend_schema(responses=ChosenMetricsSerializer)
    def get(self, request: Request, study: str) -> Response:
        """The chosen metrics with all their settings, and why some will have no score."""
        return Response(_choices(request.study))

    @with_body(MetricsSerializer, responses={200: ChosenMetricsSerializer, 400: Detail})
    def put(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Choose the metrics; those that are not named are left out."""
        choose_metrics(study=request.study, **given)
        return Response(_choices(request.study))


def _choices(study: Any) -> dict[str, Any]:
    chosen, language = dict(study.metric_choices.values_list("metric", "settings")), language_of(study)
    why = {name: why_no_score(name, settings, language) for name, settings in chosen.items()}
    return {"metrics": chosen, "undefined": {name: sentence for name, sentence in why.items() if sentence}}


class MetricRunSerializer(StrictModelSerializer):
    state = serializers.CharField(source="job.state")
    done = serializers.IntegerField(source="job.done")
    total = serializers.IntegerField(source="job.total")

    class Meta:
        model = MetricRun
        fields = ["id", "job", "state", "done", "total"]


class MetricRuns(Listing):
    """The jobs that score a study's systems and make its report, newest first."""

    serializer_class = MetricRunSerializer
    queryset = MetricRun.objects.none()

    def rows(self) -> Any:
        return self.request.study.metric_runs.select_related("job").order_by("-pk")

    @without_body(responses={201: MetricRunSerializer, 400: Detail})
    def post(self, request: Request, study: str) -> Response:
        """Queue a job; what depends on nothing that has changed is not worked out again."""
        run = start_metrics(study=request.study, by=request.user)
        return Response(MetricRunSerializer(run).data, status=201)
