"""The endpoints of crowd entrances and their ledger."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.generics import get_object_or_404
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema.strict_serializers import StrictModelSerializer, StrictSerializer, without_body
from annotation.actions.open_entrance import open_entrance
from annotation.actions.release_entrant import release_entrant
from annotation.actions.set_entrance_state import set_entrance_state
from annotation.api.validation import validated
from annotation.crowd.ledger import Line, entrants_of, lines
from annotation.crowd.sites import to_paste
from annotation.models import Entrance, Entrant
from annotation.views.campaigns import campaign_of
from foundation.errors import UserError


class EntranceShape(StrictModelSerializer):
    training = serializers.CharField(source="training.slug", default=None, read_only=True, allow_null=True)
    paste = serializers.SerializerMethodField(help_text="The link with the site's placeholders, or the task's page.")

    class Meta:
        model = Entrance
        fields = ["id", "site", "is_open", "training", "consent", "paste", "made_at"]
        read_only_fields = fields

    def get_paste(self, entrance: Entrance) -> str:
        url = self.context["request"].build_absolute_uri(reverse("crowd_enter", args=[entrance.secret]))
        return to_paste(entrance.site, url)


class NewEntrance(StrictSerializer):
    site = serializers.ChoiceField(choices=Entrance.Site.choices)
    consent = serializers.CharField(max_length=20_000)
    training = serializers.CharField(default=None, allow_null=True, help_text="The short name of a training.")


class EntranceState(StrictSerializer):
    is_open = serializers.BooleanField()


class LineShape(StrictSerializer):
    entrant = serializers.IntegerField(source="entrant.pk")
    pseudonym = serializers.UUIDField(source="entrant.person.pseudonym")
    site = serializers.CharField(source="entrant.entrance.site")
    external_id = serializers.CharField(source="entrant.external_id")
    session_id = serializers.CharField(source="entrant.session_id")
    state = serializers.ChoiceField(source="entrant.state", choices=Entrant.State.choices)
    code = serializers.CharField(source="entrant.code")
    attempts = serializers.IntegerField(source="entrant.attempts", help_text="Refused visits from other browsers.")
    entered_at = serializers.DateTimeField(source="entrant.entered_at")
    consented_at = serializers.DateTimeField(source="entrant.consented_at", allow_null=True)
    left_at = serializers.DateTimeField(source="entrant.left_at", allow_null=True)
    seconds = serializers.FloatField()
    paid_seconds = serializers.FloatField(help_text="Those within what the campaign plans for an item.")
    answered = serializers.IntegerField()
    accepted = serializers.IntegerField()
    rejected = serializers.IntegerField()
    pay_items = serializers.DecimalField(source="due.items", max_digits=24, decimal_places=2)
    pay_time = serializers.DecimalField(source="due.time", max_digits=24, decimal_places=2)
    pay = serializers.DecimalField(source="due.total", max_digits=24, decimal_places=2)


class Entrances(generics.ListAPIView):
    queryset = Entrance.objects.none()
    serializer_class = EntranceShape

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return Entrance.objects.none()
        return campaign_of(self.request, self.kwargs["campaign"]).entrances.select_related("training")

    @extend_schema(request=NewEntrance, responses={201: EntranceShape})
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Open an entrance for people of a crowd site."""
        found, given = campaign_of(request, campaign), validated(NewEntrance, request)
        if given["training"] is not None:
            training = request.study.campaigns.filter(slug=given["training"]).first()
            if training is None:
                raise UserError("The study has no campaign of this name.", where="training")
            given["training"] = training
        made = open_entrance(campaign=found, by=request.user, **given)
        return Response(EntranceShape(made, context={"request": request}).data, status=201)


class OneEntrance(APIView):
    @extend_schema(request=EntranceState, responses=EntranceShape)
    def patch(self, request: Any, study: str, campaign: str, entrance: int) -> Response:
        """Close the entrance, or open it again."""
        found = get_object_or_404(Entrance, pk=entrance, campaign=campaign_of(request, campaign))
        set_entrance_state(entrance=found, by=request.user, **validated(EntranceState, request))
        return Response(EntranceShape(found, context={"request": request}).data)


class ReleaseEntrant(APIView):
    @without_body(responses={204: None})
    def post(self, request: Any, study: str, campaign: str, entrant: int) -> Response:
        """Let somebody go on in another browser."""
        found = get_object_or_404(Entrant, pk=entrant, entrance__campaign=campaign_of(request, campaign))
        release_entrant(entrant=found, by=request.user)
        return Response(status=204)


class Ledger(generics.ListAPIView):
    """What everybody from a crowd site did in the campaign and is due."""

    queryset = Entrant.objects.none()
    serializer_class = LineShape

    def list(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        found = campaign_of(request, kwargs["campaign"])
        page: list[Line] = lines(found, self.paginate_queryset(entrants_of(found)) or [])
        return self.get_paginated_response(LineShape(page, many=True).data)
