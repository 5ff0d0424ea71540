from django.urls import path

from integrations.webhooks import views


def pages(before: str, name: str) -> list:  # type: ignore[type-arg]
    one = f"{before}<int:webhook>/"
    return [
        path(before, views.webhooks, name=f"{name}_webhooks"),
        path(one, views.webhook, name=f"{name}_webhook"),
        path(f"{one}act/", views.act, name=f"{name}_webhook_act"),
        path(f"{one}deliveries/<int:delivery>/replay/", views.replay, name=f"{name}_webhook_replay"),
    ]


urlpatterns = [*pages("studies/<slug:study>/webhooks/", "study"), *pages("webhooks/", "site")]
