"""The endpoints of the people of a campaign: what each did, what the checks found, and how far they agree."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictSerializer, with_body, without_body
from accounts.option_fields import body_of
from annotation.actions.start_agreement import start_agreement
from annotation.api.campaigns import WorkerShape
from annotation.campaigns.requested import campaign_of, worker_of
from annotation.presenters.people import ActFields, act_on, agreement_of, named, overview


class EvidenceShape(StrictSerializer):
    item = serializers.IntegerField(source="number")
    answer = serializers.IntegerField(source="key")
    text = serializers.CharField()


class FindingShape(StrictSerializer):
    check_name = serializers.CharField(source="finding.check")
    sentence = serializers.CharField(source="finding.sentence")
    count = serializers.IntegerField(source="finding.count", help_text="Of which at most 20 are given as evidence.")
    evidence = EvidenceShape(source="finding.evidence", many=True)


class MembershipShape(StrictSerializer):
    state = serializers.CharField()
    reason = serializers.CharField(allow_blank=True)
    accepted = serializers.IntegerField()
    rejected = serializers.IntegerField()
    rejected_in_row = serializers.IntegerField()


class PersonInCampaign(StrictSerializer):
    person = serializers.UUIDField()
    seat = MembershipShape(source="membership")
    counts = WorkerShape(allow_null=True)
    control_score = serializers.FloatField(allow_null=True, source="score")
    findings = FindingShape(many=True)


Act = body_of(ActFields, "Act")


class Acted(StrictSerializer):
    rejected = serializers.IntegerField()


class AgreementShape(StrictSerializer):
    """Null while nothing is measured; people are named by their pseudonyms."""

    agreement = serializers.DictField(allow_null=True)


class Started(StrictSerializer):
    job = serializers.IntegerField()


class CampaignAgreement(APIView):
    @extend_schema(responses=AgreementShape)
    def get(self, request: Any, study: str, campaign: str) -> Response:
        """How far the people of a campaign agree, as it was measured."""
        campaign_object = campaign_of(request, campaign)
        measured, _run = agreement_of(campaign_object)
        return Response({"agreement": measured and named(measured, campaign_object)})

    @without_body(responses={201: Started})
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Have it measured by a worker, with BERTScore where there is a language model."""
        run = start_agreement(campaign=campaign_of(request, campaign), by=request.user)
        return Response({"job": run.job_id}, status=201)


class Worker(APIView):
    @extend_schema(responses=PersonInCampaign)
    def get(self, request: Any, study: str, campaign: str, worker: int) -> Response:
        """Somebody's work in a campaign, and the findings of the checks in it."""
        campaign_object = campaign_of(request, campaign)
        who = worker_of(campaign_object, worker)
        return Response(PersonInCampaign({**overview(campaign_object, who), "person": who.pseudonym}).data)

    @with_body(Act, responses=Acted)
    def post(self, request: Any, study: str, campaign: str, worker: int, given: dict[str, Any]) -> Response:
        """Pause somebody, let them go on, or decide what becomes of their work."""
        campaign_object = campaign_of(request, campaign)
        return Response(
            {"rejected": act_on(campaign_object, worker_of(campaign_object, worker), **given, by=request.user)}
        )
