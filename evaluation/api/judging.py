"""The endpoints of judges: language models that judge a study's outputs."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from accounts.api_schema import StrictModelSerializer, with_body
from accounts.option_fields import body_of
from corpora.api.base import StudyAPI
from evaluation.actions.start_judging import start_judging
from evaluation.api.base import Detail
from evaluation.llm_judge.fields import JudgeFields
from evaluation.models import JudgeRun

JudgeRequest = body_of(JudgeFields, "JudgeRequest")


class JudgeRunSerializer(StrictModelSerializer):
    """A judge: its settings, its calls, and, when it is done, its bias card."""

    job = serializers.IntegerField(source="job_id")
    state = serializers.CharField(source="job.state")
    error = serializers.CharField(source="job.error", allow_blank=True)
    metric = serializers.CharField(
        source="metric.key", default=None, allow_null=True, help_text="the metric's name in the report"
    )
    made_at = serializers.DateTimeField(source="job.made_at")

    class Meta:
        model = JudgeRun
        fields = ["id", "name", "metric", "settings", "usage", "counts", "card", "job", "state", "error", "made_at"]
        read_only_fields = fields


class JudgeRuns(StudyAPI):
    serializer_class = JudgeRunSerializer
    pagination_class = api_settings.DEFAULT_PAGINATION_CLASS
    queryset = JudgeRun.objects.none()

    @extend_schema(responses=JudgeRunSerializer(many=True))
    def get(self, request: Request, study: str) -> Response:
        """The judges of the study, newest first."""
        page = self.paginate_queryset(self.study.judge_runs.select_related("job", "metric"))
        return self.get_paginated_response(JudgeRunSerializer(page, many=True).data)

    @with_body(JudgeRequest, responses={201: JudgeRunSerializer, 400: Detail})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Have a language model judge the outputs of all systems on a criterion."""
        run = start_judging(study=self.study, by=request.user, **given)
        return Response(JudgeRunSerializer(run).data, status=201)


class OneJudgeRun(StudyAPI):
    serializer_class = JudgeRunSerializer

    def get(self, request: Request, study: str, pk: int) -> Response:
        """A judge with its bias card."""
        run = get_object_or_404(self.study.judge_runs.select_related("job", "metric"), pk=pk)
        return Response(JudgeRunSerializer(run).data)
