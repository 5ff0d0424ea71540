from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Long work: a row that says how far it is, and the sweep that runs lost work again."""

    name = "jobs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from jobs import privacy  # noqa: F401 (connects them)
