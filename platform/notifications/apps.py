from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    """Mail to people for whom work waits."""

    name = "notifications"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from notifications import receivers  # noqa: F401 (connects itself)
