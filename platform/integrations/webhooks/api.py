"""The endpoints of webhooks, of a study and of the site."""

from typing import Any

from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, StrictSerializer, with_body, without_body
from accounts.option_fields import body_of
from corpora.api.base import Listing
from integrations.webhooks.actions.create_webhook import create_webhook
from integrations.webhooks.actions.remove_webhook import remove_webhook
from integrations.webhooks.actions.replay_delivery import replay_delivery
from integrations.webhooks.actions.set_webhook_state import set_webhook_state
from integrations.webhooks.actions.try_webhook import try_webhook
from integrations.webhooks.fields import WebhookFields
from integrations.webhooks.models import Delivery, Webhook


class WebhookShape(StrictModelSerializer):
    """A webhook; `kinds` is empty where it gets all events. `why` says why it was switched off by itself."""

    class Meta:
        model = Webhook
        fields = ["id", "url", "kinds", "is_on", "failing_since", "disabled_at", "why", "made_at"]
        read_only_fields = fields


class MadeWebhook(WebhookShape):
    """A webhook that was just made, with its `secret`, which is not told again."""

    secret = serializers.CharField(read_only=True)

    class Meta(WebhookShape.Meta):
        fields = [*WebhookShape.Meta.fields, "secret"]
        read_only_fields = fields


class WebhookState(StrictSerializer):
    is_on = serializers.BooleanField()


class DeliveryShape(StrictModelSerializer):
    """A message to a webhook: `event` is the number of its event, null for a test; the rest is of the last try."""

    event = serializers.IntegerField(source="event.number", default=None, read_only=True, allow_null=True)
    kind = serializers.CharField(read_only=True)
    message_id = serializers.CharField(read_only=True)

    class Meta:
        model = Delivery
        fields = [
            "id", "message_id", "event", "kind", "state", "attempts", "status", "response", "error", "milliseconds",
            "tried_at", "next_at", "made_at",
        ]  # fmt: skip
        read_only_fields = fields


NewWebhook = body_of(WebhookFields, "NewWebhook")


def webhook_of(request: Any, pk: int, study: str) -> Webhook:
    return get_object_or_404(Webhook, pk=pk, study=request.study if study else None)


class Webhooks(Listing):
    queryset = Webhook.objects.none()
    serializer_class = WebhookShape

    def rows(self) -> Any:
        return Webhook.objects.filter(study=self.request.study if "study" in self.kwargs else None)

    @with_body(NewWebhook, responses={201: MadeWebhook})
    def post(self, request: Any, given: dict[str, Any], study: str = "") -> Response:
        """Make a webhook: events are sent to its address, signed with the secret of the answer."""
        made, secret = create_webhook(study=request.study if study else None, by=request.user, **given)
        made.secret = secret
        return Response(MadeWebhook(made).data, status=201)


class OneWebhook(APIView):
    @with_body(WebhookState, responses=WebhookShape)
    def patch(self, request: Any, webhook: int, given: dict[str, Any], study: str = "") -> Response:
        """Switch it off or on."""
        row = webhook_of(request, webhook, study)
        return Response(WebhookShape(set_webhook_state(webhook=row, by=request.user, **given)).data)

    @without_body(responses={204: None})
    def delete(self, request: Any, webhook: int, study: str = "") -> Response:
        """Remove it with its deliveries."""
        remove_webhook(webhook=webhook_of(request, webhook, study), by=request.user)
        return Response(status=204)


class Deliveries(Listing):
    queryset = Delivery.objects.none()
    serializer_class = DeliveryShape

    def rows(self) -> Any:
        study = self.kwargs.get("study", "")
        return webhook_of(self.request, self.kwargs["webhook"], study).deliveries.select_related("event")

    @without_body(responses={201: DeliveryShape})
    def post(self, request: Any, webhook: int, study: str = "") -> Response:
        """Send a test, which is no event."""
        made = try_webhook(webhook=webhook_of(request, webhook, study), by=request.user)
        return Response(DeliveryShape(made).data, status=201)


class Replay(APIView):
    @without_body(responses=DeliveryShape)
    def post(self, request: Any, webhook: int, delivery: int, study: str = "") -> Response:
        """Send a message again, under the same id."""
        row = webhook_of(request, webhook, study)
        one = get_object_or_404(row.deliveries, pk=delivery)
        return Response(DeliveryShape(replay_delivery(webhook=row, delivery=one, by=request.user)).data)
