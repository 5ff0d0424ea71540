"""The endpoint of a person's notifications."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictSerializer
from notifications.actions.choose_notifications import choose_notifications, wanted_by
from notifications.kinds import KINDS


class NotificationsShape(StrictSerializer):
    """Of what you are told by mail, in one digest a day at most."""

    wanted = serializers.ListField(child=serializers.ChoiceField(choices=[kind.name for kind in KINDS]))


class Notifications(APIView):
    @extend_schema(responses=NotificationsShape)
    def get(self, request: Any) -> Response:
        """The kinds of notifications that you get by mail."""
        return Response({"wanted": wanted_by(request.user)})

    @extend_schema(request=NotificationsShape, responses=NotificationsShape)
    def put(self, request: Any) -> Response:
        """Choose them anew: those that you leave out are not sent."""
        given = NotificationsShape(data=request.data)
        given.is_valid(raise_exception=True)
        choose_notifications(person=request.user, **given.validated_data)
        return Response({"wanted": wanted_by(request.user)})
