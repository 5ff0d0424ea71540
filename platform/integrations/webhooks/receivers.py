"""The receiver of published events."""

from typing import Any

from django.dispatch import receiver

from integrations.events.models import Event
from integrations.events.publishing import published
from integrations.webhooks.delivery import fan_out


@receiver(published, dispatch_uid="webhooks.fan_out")
def send_on(sender: Any, events: list[Event], **kwargs: Any) -> None:
    fan_out(events)
