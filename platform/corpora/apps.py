from django.apps import AppConfig


class CorporaConfig(AppConfig):
    """Studies, their members, texts, references, systems and outputs."""

    name = "corpora"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from corpora import receivers  # noqa: F401 (connects them)
