"""The endpoints of language models that rate in a campaign, beside people."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from accounts.api_schema import StrictModelSerializer, with_body, without_body
from accounts.option_fields import body_of
from annotation.campaigns.requested import campaign_of
from annotation.models import MachineRater
from corpora.api.base import StudyAPI
from evaluation.actions.add_machine_rater import add_machine_rater
from evaluation.actions.remove_machine_rater import remove_machine_rater
from evaluation.actions.start_machine_rater import start_machine_rater
from evaluation.api.base import Detail
from evaluation.llm_judge.fields import MachineFields
from evaluation.llm_judge.requested import machine_of

MachineRequest = body_of(MachineFields, "MachineRequest")


class MachineSerializer(StrictModelSerializer):
    """A language model that rates: its settings, its calls and its answers, which count for no person."""

    shown = serializers.CharField(help_text="its name in tables and exports")
    signature = serializers.CharField(help_text="all that its answers depend on")
    guideline = serializers.IntegerField(
        allow_null=True, help_text="version of the campaign's guideline that its prompt tells; null for none"
    )
    model = serializers.CharField(source="models", help_text="by the name that it answered with")
    job = serializers.IntegerField(source="job_id", allow_null=True)
    state = serializers.CharField(source="job.state", default="")
    error = serializers.CharField(source="job.error", allow_blank=True, default="")

    class Meta:
        model = MachineRater
        fields = [
            "id", "name", "shown", "model", "prompt", "guideline", "signature", "settings", "usage", "counts", "job",
            "state", "error", "made_at",
        ]  # fmt: skip
        read_only_fields = fields


class Machines(StudyAPI):
    serializer_class = MachineSerializer
    pagination_class = api_settings.DEFAULT_PAGINATION_CLASS
    queryset = MachineRater.objects.none()

    @extend_schema(responses=MachineSerializer(many=True))
    def get(self, request: Request, study: str, campaign: str) -> Response:
        """The language models that rate in the campaign."""
        page = self.paginate_queryset(campaign_of(request, campaign).machines.select_related("job", "campaign"))
        return self.get_paginated_response(MachineSerializer(page, many=True).data)

    @with_body(MachineRequest, responses={201: MachineSerializer, 400: Detail})
    def post(self, request: Request, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Have a language model judge the items of the campaign; it counts for no person."""
        machine = add_machine_rater(campaign=campaign_of(request, campaign), by=request.user, **given)
        return Response(MachineSerializer(machine).data, status=201)


class OneMachine(StudyAPI):
    serializer_class = MachineSerializer

    def get(self, request: Request, study: str, campaign: str, pk: int) -> Response:
        """A language model that rates in the campaign."""
        return Response(MachineSerializer(machine_of(request, campaign, pk)).data)

    @without_body(responses={204: None})
    def delete(self, request: Request, study: str, campaign: str, pk: int) -> Response:
        """Remove it with its answers; they can be restored."""
        remove_machine_rater(machine=machine_of(request, campaign, pk), by=request.user)
        return Response(status=204)


class StartMachine(StudyAPI):
    serializer_class = MachineSerializer

    @without_body(responses={200: MachineSerializer, 400: Detail})
    def post(self, request: Request, study: str, campaign: str, pk: int) -> Response:
        """Let it go on, after a stop or with items that are new; nothing is paid twice."""
        machine = start_machine_rater(machine=machine_of(request, campaign, pk), by=request.user)
        return Response(MachineSerializer(machine).data)
