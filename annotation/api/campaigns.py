"""The endpoints of campaigns: thin, and on the same actions as the pages."""

from collections.abc import Callable
from functools import partial
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import without_body
from annotation.actions.create_campaign import create_campaign
from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.remove_campaign import remove_campaign
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.api.shapes import (
    CampaignInFull,
    CampaignShape,
    ChangedCampaign,
    NewCampaign,
    NewState,
)
from annotation.api.validation import validated
from annotation.campaigns.requested import campaign_named, campaign_of
from annotation.models import Campaign
from corpora.models import Study, System
from foundation.errors import UserError


class Campaigns(generics.ListAPIView):
    queryset = Campaign.objects.none()
    serializer_class = CampaignShape

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return Campaign.objects.none()
        return self.request.study.campaigns.select_related("direction", "after")

    @extend_schema(request=NewCampaign, responses={201: CampaignShape})
    def post(self, request: Any, study: str) -> Response:
        """Make a campaign with all its items; it is a draft until its state is set."""
        given = validated(NewCampaign, request)
        created = create_campaign(study=request.study, by=request.user, **_with_rows(request.study, given))
        return Response(CampaignShape(created).data, status=201)


class OneCampaign(APIView):
    @extend_schema(responses=CampaignInFull)
    def get(self, request: Any, study: str, campaign: str) -> Response:
        """A campaign, and how far it has come."""
        return Response(CampaignInFull(campaign_of(request, campaign)).data)

    @extend_schema(request=ChangedCampaign, responses=CampaignInFull)
    def patch(self, request: Any, study: str, campaign: str) -> Response:
        """Change what is named; what the items were made with only while there are none."""
        target = campaign_of(request, campaign)
        given = _with_rows(request.study, validated(ChangedCampaign, request, partial=True))
        return Response(CampaignInFull(edit_campaign(campaign=target, by=request.user, **given)).data)

    @without_body(responses={204: None})
    def delete(self, request: Any, study: str, campaign: str) -> Response:
        """Take the campaign out of the study, with its items and answers. It can be undone for 30 days."""
        remove_campaign(campaign=campaign_of(request, campaign), by=request.user)
        return Response(status=204)


class State(APIView):
    @extend_schema(request=NewState, responses=CampaignShape)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Start, pause or end a campaign."""
        campaign_object, given = campaign_of(request, campaign), validated(NewState, request)
        return Response(CampaignShape(set_campaign_state(campaign=campaign_object, by=request.user, **given)).data)


def _with_rows(study: Study, given: dict[str, Any]) -> dict[str, Any]:
    """What is given, with the rows in place of their names."""
    find: dict[str, Callable[[Study, Any], Any]] = {
        "direction": _direction, "systems": _systems, "after": partial(campaign_named, where="after")
    }  # fmt: skip
    named = {name: given[name] for name in find if name in given}
    rows = {name: None if value in (None, "") else find[name](study, value) for name, value in named.items()}
    return {**given, **rows}


def _direction(study: Study, name: str) -> Any:
    for direction in study.directions.all():
        if direction.name == name:
            return direction
    raise UserError("The study has no direction '{name}'.", name=name, where="direction")


def _systems(study: Study, names: list[str]) -> list[System]:
    systems = {system.name: system for system in study.systems.all()}
    for name in names:
        if name not in systems:
            raise UserError("The study has no system '{name}'.", name=name, where="systems")
    return [systems[name] for name in names]
