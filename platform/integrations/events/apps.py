from django.apps import AppConfig


class EventsConfig(AppConfig):
    """The events of studies."""

    name = "integrations.events"
    label = "events"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from integrations.events import recording  # noqa: F401 (connects itself)
