"""The endpoint of assistive translations."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_schema import StrictModelSerializer
from annotation.actions.start_translation import start_translation
from annotation.models import TranslationRun


class TranslationRunSerializer(StrictModelSerializer):
    state = serializers.CharField(source="job.state", read_only=True)

    class Meta:
        model = TranslationRun
        fields = ["id", "style", "source_language", "target_language", "job", "state"]
        read_only_fields = ["job"]


class TranslationRuns(ListAPIView):
    """List the translations of a study's documents, newest first; POST starts one."""

    serializer_class = TranslationRunSerializer
    queryset = TranslationRun.objects.none()

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return TranslationRun.objects.none()
        return self.request.study.translation_runs.select_related("job")

    @extend_schema(responses={201: TranslationRunSerializer})
    def post(self, request: Request, study: str) -> Response:
        """Translate the documents of a style, as help for annotators, where the site has a translator."""
        asked = TranslationRunSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        run = start_translation(study=request.study, by=request.user, **asked.validated_data)
        return Response(TranslationRunSerializer(run).data, status=201)
