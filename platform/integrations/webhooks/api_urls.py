from django.urls import path

from integrations.webhooks.api import Deliveries, OneWebhook, Replay, Webhooks


def endpoints(before: str, name: str) -> list:  # type: ignore[type-arg]
    one = f"{before}<int:webhook>/"
    return [
        path(before, Webhooks.as_view(), name=f"{name}webhook-list"),
        path(one, OneWebhook.as_view(), name=f"{name}webhook-detail"),
        path(f"{one}deliveries/", Deliveries.as_view(), name=f"{name}delivery-list"),
        path(f"{one}deliveries/<int:delivery>/replay/", Replay.as_view(), name=f"{name}delivery-replay"),
    ]


urlpatterns = [*endpoints("studies/<slug:study>/webhooks/", ""), *endpoints("webhooks/", "site-")]
