"""The endpoint of a person's notifications."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictSerializer, with_body
from notifications.actions.choose_notifications import choose_notifications, wanted_by
from notifications.kinds import KINDS


class NotificationsShape(StrictSerializer):
    """The kinds of notifications that you are sent by mail, in one digest a day at most."""

    wanted = serializers.ListField(child=serializers.ChoiceField(choices=[kind.name for kind in KINDS]))


class Notifications(APIView):
    @extend_schema(responses=NotificationsShape)
    def get(self, request: Any) -> Response:
        """The kinds of notifications that you get by mail."""
        return Response({"wanted": wanted_by(request.user)})

    @with_body(NotificationsShape, responses=NotificationsShape)
    def put(self, request: Any, given: dict[str, Any]) -> Response:
        """Choose them anew: those that you leave out are not sent."""
        choose_notifications(person=request.user, **given)
        return Response({"wanted": wanted_by(request.user)})
