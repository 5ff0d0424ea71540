"""The endpoints of a study's scales and of its assistive translations."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, StrictSerializer, with_body, without_body
from annotation.actions.add_scale import add_scale
from annotation.actions.remove_scale import remove_scale
from annotation.actions.start_translation import start_translation
from annotation.models import StudyScale, TranslationRun
from annotation.rating_scales import LONGEST_LINE
from corpora.api.base import Listing


class ScaleSerializer(StrictModelSerializer):
    class Meta:
        model = StudyScale
        fields = ["id", "name", "line"]
        read_only_fields = fields


class NewScaleSerializer(StrictSerializer):
    line = serializers.CharField(
        max_length=LONGEST_LINE,
        help_text="its name, level of measurement, levels and the styles of its ends: "
                  "`mood | ordinal | 1 Rude | 2 Neutral | 3 Polite | rude > polite`, or a range: "
                  "`adequacy | interval | 0 .. 1 step 0.01 | 0 Nothing | 1 All`. It is a criterion's `scale`",
    )  # fmt: skip


class StudyScales(APIView):
    """A study's own scales."""

    @extend_schema(responses=ScaleSerializer(many=True))
    def get(self, request: Request, study: str) -> Response:
        """Those on its list."""
        return Response(ScaleSerializer(request.study.scales.all(), many=True).data)

    @with_body(NewScaleSerializer, responses={201: ScaleSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Add one."""
        made = add_scale(study=request.study, by=request.user, **given)
        return Response(ScaleSerializer(made).data, status=201)


class OneStudyScale(APIView):
    """One of a study's own scales."""

    @without_body(responses={204: None})
    def delete(self, request: Request, study: str, pk: int) -> Any:
        """Take it off the list; criteria that use it keep it."""
        remove_scale(scale=get_object_or_404(request.study.scales, pk=pk), by=request.user)
        return Response(status=204)


class TranslationRunSerializer(StrictModelSerializer):
    state = serializers.CharField(source="job.state", read_only=True)

    class Meta:
        model = TranslationRun
        fields = ["id", "style", "source_language", "target_language", "job", "state"]
        read_only_fields = ["job"]


class TranslationRuns(Listing):
    """List the translations of a study's documents, newest first; POST starts one."""

    serializer_class = TranslationRunSerializer
    queryset = TranslationRun.objects.none()

    def rows(self) -> Any:
        return self.request.study.translation_runs.select_related("job")

    @with_body(TranslationRunSerializer, responses={201: TranslationRunSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Translate the documents of a style, as help for annotators, where the site has a translator."""
        run = start_translation(study=request.study, by=request.user, **given)
        return Response(TranslationRunSerializer(run).data, status=201)
