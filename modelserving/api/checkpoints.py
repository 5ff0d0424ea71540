"""The endpoints of checkpoints: trained models as files, out and in."""

from typing import Any

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_schema import StrictModelSerializer, without_body
from accounts.option_fields import body_of
from corpora.api.base import FILE_PARSERS, StudyAPI, with_files
from modelserving.actions.import_checkpoint import CheckpointFields, import_checkpoint
from modelserving.actions.remove_checkpoint import remove_checkpoint
from modelserving.artifacts import checkpoint_download
from modelserving.models import Checkpoint


class CheckpointSerializer(StrictModelSerializer):
    """A trained model. `manifest` is the file's own: options, directions, training, library versions, members."""

    directions = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))

    class Meta:
        model = Checkpoint
        fields = ["id", "name", "model", "kind", "run", "directions", "sha256", "size", "manifest", "made_at"]
        read_only_fields = fields


NewCheckpointSerializer = body_of(CheckpointFields, "NewCheckpointSerializer", file=serializers.FileField())


class CheckpointList(StudyAPI):
    serializer_class = CheckpointSerializer
    parser_classes = FILE_PARSERS

    @extend_schema(responses=CheckpointSerializer(many=True))
    def get(self, request: Request, study: str) -> Response:
        """The checkpoints of the study, newest first."""
        return Response(CheckpointSerializer(self.study.checkpoints.all(), many=True).data)

    @with_files(NewCheckpointSerializer, responses={201: CheckpointSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Import a checkpoint that was downloaded elsewhere. A file that is broken or strange is refused."""
        made = import_checkpoint(study=self.study, by=request.user, **given)
        return Response(CheckpointSerializer(made).data, status=201)


class CheckpointDetail(StudyAPI):
    serializer_class = CheckpointSerializer

    def get(self, request: Request, study: str, pk: int) -> Response:
        """A checkpoint and what its manifest says."""
        return Response(CheckpointSerializer(_of(self.study, pk)).data)

    @without_body(responses={204: None})
    def delete(self, request: Request, study: str, pk: int) -> Response:
        """Remove a checkpoint and its file; what it wrote stays."""
        remove_checkpoint(checkpoint=_of(self.study, pk), by=request.user)
        return Response(status=204)


class CheckpointFile(StudyAPI):
    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, study: str, pk: int) -> StreamingHttpResponse:
        """The file."""
        return checkpoint_download(_of(self.study, pk))


def _of(study: Any, pk: int) -> Checkpoint:
    return get_object_or_404(study.checkpoints, pk=pk)
