from django.apps import AppConfig


class RecruitingConfig(AppConfig):
    """Recruiting at crowd sites."""

    name = "integrations.recruiting"
    label = "recruiting"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from integrations.recruiting import receivers  # noqa: F401 (connects itself)
