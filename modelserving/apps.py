from django.apps import AppConfig


class ModelservingConfig(AppConfig):
    """Transfer models run on a study's texts."""

    name = "modelserving"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from modelserving import sinks  # noqa: F401 (a registry, which plugins are held to, and no page reads)
