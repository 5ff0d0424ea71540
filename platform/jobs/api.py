"""The endpoints of a study's jobs."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ReadOnlyModelViewSet

from jobs.actions.cancel_job import cancel_job
from jobs.actions.retry_job import retry_job
from jobs.models import Job
from jobs.views import jobs_of


class JobSerializer(serializers.ModelSerializer):
    class Meta:
        model = Job
        fields = [
            "id", "title", "queue", "state", "done", "total", "error", "attempts", "cancel_requested",
            "made_at", "started_at", "ended_at", "log",
        ]  # fmt: skip


class JobViewSet(ReadOnlyModelViewSet):
    serializer_class = JobSerializer
    queryset = Job.objects.none()

    def get_queryset(self):
        return Job.objects.none() if getattr(self, "swagger_fake_view", False) else jobs_of(self.request)

    @extend_schema(request=None, responses=JobSerializer)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, **kwargs: object) -> Response:
        """Stop the job at its next step."""
        return Response(JobSerializer(cancel_job(job=self.get_object())).data)

    @extend_schema(request=None, responses=JobSerializer)
    @action(detail=True, methods=["post"])
    def retry(self, request: Request, **kwargs: object) -> Response:
        """Run a failed or cancelled job again."""
        return Response(JobSerializer(retry_job(job=self.get_object())).data)
