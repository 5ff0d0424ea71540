"""The endpoints of imported scores; `import/` with the target `scores` imports them."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, without_body
from corpora.api.base import Listing
from evaluation.actions.remove_scores import remove_scores
from evaluation.imported_scores import ENDS, better_end_named
from evaluation.models import ImportedMetric


class ImportedMetricSerializer(StrictModelSerializer):
    metric = serializers.CharField(source="key", read_only=True, help_text="the metric's name in the report")
    better = serializers.SerializerMethodField()
    scores = serializers.IntegerField(source="size", read_only=True)

    class Meta:
        model = ImportedMetric
        fields = ["number", "name", "metric", "version", "signature", "better", "file_name", "made_at", "scores"]

    @extend_schema_field(serializers.ChoiceField(choices=list(ENDS)))
    def get_better(self, one: ImportedMetric) -> str:
        return better_end_named(one.higher_is_better)


class ImportedMetrics(Listing):
    """Metrics whose scores were computed elsewhere and imported."""

    serializer_class = ImportedMetricSerializer
    queryset = ImportedMetric.objects.none()

    def rows(self) -> Any:
        return ImportedMetric.with_sizes(self.request.study.imported_metrics.order_by("number"))


class OneImportedMetric(APIView):
    """One metric whose scores were imported."""

    @extend_schema(responses=ImportedMetricSerializer)
    def get(self, request: Request, study: str, number: int) -> Response:
        rows = ImportedMetric.with_sizes(request.study.imported_metrics.all())
        return Response(ImportedMetricSerializer(get_object_or_404(rows, number=number)).data)

    @without_body(responses={204: None})
    def delete(self, request: Request, study: str, number: int) -> Response:
        """Remove the metric's scores."""
        remove_scores(metric=get_object_or_404(request.study.imported_metrics, number=number), by=request.user)
        return Response(status=204)
