"""The endpoints of a study's jobs."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from accounts.api_schema import StrictModelSerializer, without_body
from jobs.actions.cancel_job import cancel_job
from jobs.actions.retry_job import retry_job
from jobs.models import Job
from jobs.queueing import jobs_of
from jobs.waiting_reasons import waiting_reasons


class JobRow(StrictModelSerializer):
    """A job in a list."""

    class Meta:
        model = Job
        fields = [
            "id", "title", "queue", "state", "done", "total", "told", "warning", "error", "attempts",
            "cancel_requested", "made_at", "started_at", "ended_at",
        ]  # fmt: skip
        read_only_fields = fields


class JobSerializer(JobRow):
    """A job with its log. `waits` says what an unfinished one waits for: a worker of its queue, jobs before it, or an
    outside service."""

    waits = serializers.SerializerMethodField()

    class Meta(JobRow.Meta):
        fields = [*JobRow.Meta.fields, "log", "waits"]
        read_only_fields = fields

    def get_waits(self, job: Job) -> str:
        return " ".join(waiting_reasons([job], getattr(self.context.get("request"), "user", None)))


class JobViewSet(ListModelMixin, GenericViewSet):
    """The long work of a study, newest first: models that run, metrics that are worked out."""

    serializer_class = JobRow
    queryset = Job.objects.none()

    def get_queryset(self) -> Any:
        return jobs_of(self.request).defer("log")

    @extend_schema(responses=JobSerializer)
    def retrieve(self, request: Request, study: str, pk: int) -> Response:
        """A job, how far it is, and its log."""
        return self._answer(pk)

    @without_body(responses=JobSerializer)
    def cancel(self, request: Request, study: str, pk: int) -> Response:
        """Stop the job at its next step; where it does not stop by itself, its process is ended within seconds."""
        return self._answer(pk, cancel_job)

    @without_body(responses=JobSerializer)
    def retry(self, request: Request, study: str, pk: int) -> Response:
        """Run a failed or cancelled job again; what it had finished is kept."""
        return self._answer(pk, retry_job)

    def _answer(self, pk: int, action: Any = None) -> Response:
        job = get_object_or_404(jobs_of(self.request), pk=pk)
        return Response(JobSerializer(action(job=job) if action else job, context=self.get_serializer_context()).data)
