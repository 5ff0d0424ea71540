"""The endpoints of transfer runs: a model over a study's sources, or over a file of lines."""

from typing import Any

from django.http import Http404, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_schema import StrictModelSerializer, StrictSerializer, with_body
from accounts.option_fields import body_of
from corpora.api.base import FILE_PARSERS, Listing, ObjectField, StudyAPI, with_files
from corpora.studies import direction_or_none
from foundation.errors import UserError
from modelserving.actions.start_transfer import TransferFields, start_file_transfer, start_transfer
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


class OfModel(StrictSerializer):
    model = serializers.ChoiceField(choices=TRANSFERS.names(), required=False)
    checkpoint = serializers.IntegerField(default=None, min_value=1, allow_null=True)


TransferRequest = body_of(
    TransferFields, "TransferRequest", "Either a `checkpoint` or a `model` that needs no training.", base=OfModel,
    names=("name", "direction", "split", "settings"),
)  # fmt: skip


class FileTransferRequest(OfModel):
    direction = serializers.CharField(max_length=121)
    file = serializers.FileField(help_text="Lines in UTF-8; each is rewritten.")
    settings = ObjectField(max_length=2000, default=dict, help_text="As JSON.")


class TransferRuns(Listing, StudyAPI):
    """List the runs of models on a study, newest first; POST starts one."""

    serializer_class = TransferRunSerializer
    pagination_class = Listing.pagination_class
    queryset = TransferRun.objects.none()

    def rows(self) -> Any:
        return self.study.transfer_runs.select_related("job", "system", "direction")

    @with_body(TransferRequest, responses={201: TransferRunSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Run a model on the study's sources."""
        run = start_transfer(study=self.study, by=request.user, **_with_rows(self.study, given))
        return Response(TransferRunSerializer(run).data, status=201)


class FileTransfers(StudyAPI):
    serializer_class = TransferRunSerializer
    parser_classes = FILE_PARSERS

    @with_files(FileTransferRequest, responses={201: TransferRunSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Run a model on a file of lines; its result can be fetched when the job is done."""
        run = start_file_transfer(study=self.study, by=request.user, **_with_rows(self.study, given))
        return Response(TransferRunSerializer(run).data, status=201)


class TransferResult(StudyAPI):
    @extend_schema(responses={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, request: Request, study: str, pk: int) -> StreamingHttpResponse:
        """The output of a run over its file, a line for each line."""
        run = get_object_or_404(self.study.transfer_runs, pk=pk)
        if not run.result:
            raise Http404
        return result_download(run)


def _with_rows(study: Any, given: dict[str, Any]) -> dict[str, Any]:
    """The given fields, with the rows in place of their names."""
    rows = direction_or_none(study, given["direction"]), _checkpoint(study, given["checkpoint"])
    return {**given, "direction": rows[0], "checkpoint": rows[1]}


def _checkpoint(study: Any, key: int | None) -> Checkpoint | None:
    """The study's checkpoint of that key."""
    if key is None:
        return None
    found = study.checkpoints.filter(pk=key).first() if key < 2**63 else None
    if found is None:
        raise UserError("The study has no such checkpoint.", where="checkpoint")
    return found
