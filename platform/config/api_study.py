"""The endpoints of a study that more than one room takes part in: the study file, and the criteria."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Criterion
from config.uploaded_study import apply_uploads
from corpora.api_base import FILE_PARSERS, StudyAPI, uploaded


class StudyFileSerializer(serializers.Serializer):
    study = serializers.FileField(help_text="The study file (TOML).")
    files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True), default=list,
        help_text="The files that it names, matched by their last path part.",
    )  # fmt: skip


class AppliedSerializer(serializers.Serializer):
    """What an application added: the names of the parts, none where there was nothing to change."""

    study = serializers.CharField()
    added = serializers.ListField(child=serializers.CharField())


class StudyApply(GenericAPIView):
    serializer_class = StudyFileSerializer
    parser_classes = FILE_PARSERS

    @extend_schema(request={"multipart/form-data": StudyFileSerializer}, responses=AppliedSerializer)
    def post(self, request: Request) -> Response:
        """Set up the study that a study file declares; applied again it changes nothing."""
        study, added = apply_uploads(**uploaded(StudyFileSerializer, request), by=request.user)
        return Response({"study": study.slug, "added": added})


class CriterionSerializer(serializers.ModelSerializer):
    class Meta:
        model = Criterion
        fields = ["name", "scale", "aspect", "beside"]


class CriterionList(StudyAPI):
    serializer_class = CriterionSerializer

    @extend_schema(responses=CriterionSerializer(many=True))
    def get(self, request: Request, study: str) -> Response:
        """What the study's outputs are judged on, and on which scale; campaigns and ratings bring them."""
        return Response(CriterionSerializer(self.study.criteria.order_by("number"), many=True).data)
