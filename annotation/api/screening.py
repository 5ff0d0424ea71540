"""The endpoint of a screening: thin, and on the same action as the page."""

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictSerializer, without_body
from annotation.actions.adopt_screening import adopt_screening
from annotation.campaigns.requested import campaign_of


class AdoptedScreening(StrictSerializer):
    questions = serializers.IntegerField(help_text="Questions that are chosen now.")
    documents = serializers.IntegerField(help_text="Documents that are chosen now.")
    ties = serializers.ListField(child=serializers.CharField(), help_text="What stays undecided, since votes are tied.")


class AdoptScreening(APIView):
    @without_body(responses=AdoptedScreening)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Make what the screening decided the standing of the study's questions and documents."""
        counts = adopt_screening(campaign=campaign_of(request, campaign), by=request.user)
        return Response(counts._asdict())
