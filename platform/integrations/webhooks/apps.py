from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    """Events sent to addresses outside."""

    name = "integrations.webhooks"
    label = "webhooks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from integrations.webhooks import receivers  # noqa: F401 (connects itself)
