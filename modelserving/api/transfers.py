"""The endpoints of transfer runs: a model over a study's sources, or over a file of lines."""

import json
from typing import Any

from django.http import Http404, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_schema import StrictModelSerializer, StrictSerializer, checked
from corpora.api.base import FILE_PARSERS, StudyAPI, direction_named, with_files
from corpora.models import Sentence
from foundation.errors import UserError
from modelserving.actions.start_transfer import start_file_transfer, start_transfer
from modelserving.artifacts import result_download
from modelserving.models import Checkpoint, TransferRun
from modelserving.transfer import TRANSFERS


class TransferRunSerializer(StrictModelSerializer):
    """`system` gets the outputs of a run over the study's sources; a run over a `file` has a result to fetch."""

    system = serializers.CharField(source="system.name", default=None, allow_null=True)
    direction = serializers.CharField(source="direction.name", default=None, allow_null=True)
    state = serializers.CharField(source="job.state")
    file = serializers.CharField(source="file_name", allow_blank=True)
    usage = serializers.DictField(
        help_text="What a service outside used for it: calls, tokens in and out, cost; empty where there is none."
    )

    class Meta:
        model = TransferRun
        fields = [
            "id", "model", "checkpoint", "training", "system", "direction", "split", "file", "settings", "signature",
            "usage", "job", "state",
        ]  # fmt: skip


class TransferRequest(StrictSerializer):
    """Either a `checkpoint` or a `model` that needs no training."""

    model = serializers.ChoiceField(choices=TRANSFERS.names(), required=False)
    checkpoint = serializers.IntegerField(required=False, min_value=1, allow_null=True)
    name = serializers.CharField(max_length=100)
    direction = serializers.CharField(required=False, allow_null=True, help_text="source-target; all where left out")
    split = serializers.ChoiceField(choices=Sentence.Split.choices, required=False, help_text="All where left out.")
    settings = serializers.DictField(required=False)


class FileTransferRequest(StrictSerializer):
    model = serializers.ChoiceField(choices=TRANSFERS.names(), required=False)
    checkpoint = serializers.IntegerField(required=False, min_value=1)
    direction = serializers.CharField(max_length=121)
    file = serializers.FileField(help_text="Lines in UTF-8; each is rewritten.")
    settings = serializers.CharField(max_length=2000, default="{}", help_text="As JSON.")

    def validate_settings(self, text: str) -> dict[str, Any]:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise serializers.ValidationError("Expected a JSON object.")
        return found


class TransferRuns(StudyAPI, ListAPIView):
    """List the runs of models on a study, newest first; POST starts one."""

    serializer_class = TransferRunSerializer
    pagination_class = ListAPIView.pagination_class
    queryset = TransferRun.objects.none()

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return TransferRun.objects.none()
        return self.study.transfer_runs.select_related("job", "system", "direction")

    @extend_schema(request=TransferRequest, responses={201: TransferRunSerializer})
    def post(self, request: Request, study: str) -> Response:
        """Run a model on the study's sources."""
        given = checked(TransferRequest, request)
        name, key = given.pop("direction", None), given.pop("checkpoint", None)
        run = start_transfer(
            study=self.study, direction=direction_named(self.study, name) if name else None,
            checkpoint=_checkpoint(self.study, key), by=request.user, **given,
        )  # fmt: skip
        return Response(TransferRunSerializer(run).data, status=201)


class FileTransfers(StudyAPI):
    serializer_class = TransferRunSerializer
    parser_classes = FILE_PARSERS

    @with_files(FileTransferRequest, responses={201: TransferRunSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Run a model on a file of lines; its result can be fetched when the job is done."""
        name, key = given.pop("direction"), given.pop("checkpoint", None)
        run = start_file_transfer(
            study=self.study, direction=direction_named(self.study, name), checkpoint=_checkpoint(self.study, key),
            by=request.user, **given,
        )  # fmt: skip
        return Response(TransferRunSerializer(run).data, status=201)


class TransferResult(StudyAPI):
    @extend_schema(responses={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, request: Request, study: str, pk: int) -> StreamingHttpResponse:
        """The output of a run over its file, a line for each line."""
        run = get_object_or_404(self.study.transfer_runs, pk=pk)
        if not run.result:
            raise Http404
        return result_download(run)


def _checkpoint(study: Any, key: int | None) -> Checkpoint | None:
    """The study's checkpoint of that key."""
    if key is None:
        return None
    found = study.checkpoints.filter(pk=key).first() if key < 2**63 else None
    if found is None:
        raise UserError("The study has no such checkpoint.", where="checkpoint")
    return found
