"""The endpoints of a campaign's guideline: its newest version, a new one, and that somebody read it."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.generics import get_object_or_404
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions.read_guideline import read_guideline
from annotation.actions.revise_guideline import revise_guideline
from annotation.api.shapes import (
    GuidelineShape,
    NewGuideline,
    ReadGuideline,
)
from annotation.api.validation import validated
from annotation.campaigns.requested import campaign_of


class GuidelineVersion(APIView):
    @extend_schema(responses=GuidelineShape)
    def get(self, request: Any, study: str, campaign: str) -> Response:
        """The guideline in its newest version."""
        campaign_object = campaign_of(request, campaign)
        return Response(GuidelineShape(campaign_object.guidelines.get(version=campaign_object.guideline_version)).data)

    @extend_schema(request=NewGuideline, responses=GuidelineShape)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Give the campaign a new version of its guideline."""
        campaign_object, given = campaign_of(request, campaign), validated(NewGuideline, request)
        return Response(GuidelineShape(revise_guideline(campaign=campaign_object, by=request.user, **given)).data)


class GuidelineRead(APIView):
    @extend_schema(request=ReadGuideline, responses={204: None})
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Say that you have read the guideline in this version."""
        campaign_object = get_object_or_404(request.study.campaigns, slug=campaign)
        read_guideline(campaign=campaign_object, person=request.user, **validated(ReadGuideline, request))
        return Response(status=204)
