"""The endpoints of crowd recruitment links and their ledger."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import generics, serializers
from rest_framework.generics import get_object_or_404
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, StrictSerializer, with_body, without_body
from accounts.option_fields import body_of
from annotation.actions.open_recruitment_link import RecruitmentLinkFields, open_recruitment_link
from annotation.actions.release_crowd_participant import release_crowd_participant
from annotation.actions.set_recruitment_link_state import set_recruitment_link_state
from annotation.campaigns.requested import campaign_named, campaign_of
from annotation.crowd.ledger import Line, everybody_of, lines
from annotation.crowd.sites import to_paste
from annotation.models import CrowdParticipant, RecruitmentLink
from corpora.api.base import Listing


@extend_schema_serializer(component_name="EntranceShape")
class RecruitmentLinkShape(StrictModelSerializer):
    training = serializers.CharField(source="training.slug", default=None, read_only=True, allow_null=True)
    paste = serializers.SerializerMethodField(help_text="The link with the site's placeholders, or the task's page.")

    class Meta:
        model = RecruitmentLink
        fields = [
            "id", "site", "is_open", "training", "consent", "completion_code", "screen_out_code", "paste", "made_at",
        ]  # fmt: skip
        read_only_fields = fields

    def get_paste(self, recruitment_link: RecruitmentLink) -> str:
        url = self.context["request"].build_absolute_uri(reverse("crowd_enter", args=[recruitment_link.secret]))
        return to_paste(recruitment_link.site, url)


NewRecruitmentLink = body_of(RecruitmentLinkFields, "NewEntrance")


@extend_schema_serializer(component_name="EntranceState")
class RecruitmentLinkState(StrictSerializer):
    is_open = serializers.BooleanField()


class LineShape(StrictSerializer):
    entrant = serializers.IntegerField(source="participant.pk", allow_null=True, help_text="Null without a link.")
    pseudonym = serializers.UUIDField(source="participant.person.pseudonym")
    site = serializers.CharField(
        source="participant.recruitment_link.site", allow_blank=True, help_text="Empty for people of the study itself."
    )
    external_id = serializers.CharField(source="participant.external_id")
    session_id = serializers.CharField(source="participant.session_id")
    state = serializers.ChoiceField(
        source="participant.state", choices=CrowdParticipant.State.choices, allow_blank=True
    )
    code = serializers.CharField(source="participant.code")
    attempts = serializers.IntegerField(source="participant.attempts", help_text="Refused visits from other browsers.")
    entered_at = serializers.DateTimeField(source="participant.entered_at", allow_null=True)
    consented_at = serializers.DateTimeField(source="participant.consented_at", allow_null=True)
    left_at = serializers.DateTimeField(source="participant.left_at", allow_null=True)
    seconds = serializers.FloatField()
    paid_seconds = serializers.FloatField(help_text="Those within what the campaign plans for an item.")
    answered = serializers.IntegerField()
    accepted = serializers.IntegerField()
    rejected = serializers.IntegerField()
    pay_items = serializers.DecimalField(source="due.items", max_digits=24, decimal_places=2)
    pay_time = serializers.DecimalField(source="due.time", max_digits=24, decimal_places=2)
    pay = serializers.DecimalField(source="due.total", max_digits=24, decimal_places=2)


class RecruitmentLinks(Listing):
    queryset = RecruitmentLink.objects.none()
    serializer_class = RecruitmentLinkShape

    def rows(self) -> Any:
        return campaign_of(self.request, self.kwargs["campaign"]).recruitment_links.select_related("training")

    @with_body(NewRecruitmentLink, responses={201: RecruitmentLinkShape})
    def post(self, request: Any, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Open a recruitment link for people of a crowd site."""
        campaign_object = campaign_of(request, campaign)
        if given["training"] is not None:
            given["training"] = campaign_named(request.study, given["training"], where="training")
        recruitment_link = open_recruitment_link(campaign=campaign_object, by=request.user, **given)
        return Response(RecruitmentLinkShape(recruitment_link, context={"request": request}).data, status=201)


class OneRecruitmentLink(APIView):
    @with_body(RecruitmentLinkState, responses=RecruitmentLinkShape)
    def patch(self, request: Any, study: str, campaign: str, entrance: int, given: dict[str, Any]) -> Response:
        """Close the recruitment link, or open it again."""
        recruitment_link = get_object_or_404(RecruitmentLink, pk=entrance, campaign=campaign_of(request, campaign))
        set_recruitment_link_state(recruitment_link=recruitment_link, by=request.user, **given)
        return Response(RecruitmentLinkShape(recruitment_link, context={"request": request}).data)


class ReleaseParticipant(APIView):
    @without_body(responses={204: None})
    def post(self, request: Any, study: str, campaign: str, entrant: int) -> Response:
        """Let somebody go on in another browser."""
        participant = get_object_or_404(
            CrowdParticipant, pk=entrant, recruitment_link__campaign=campaign_of(request, campaign)
        )
        release_crowd_participant(participant=participant, by=request.user)
        return Response(status=204)


class Ledger(generics.ListAPIView):
    """The work of everybody from a crowd site in the campaign, where it pays of all others too, and the pay due."""

    queryset = CrowdParticipant.objects.none()
    serializer_class = LineShape

    def list(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        campaign = campaign_of(request, kwargs["campaign"])
        page: list[Line] = lines(campaign, self.paginate_queryset(everybody_of(campaign)) or [])
        return self.get_paginated_response(LineShape(page, many=True).data)
