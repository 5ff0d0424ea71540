from django.apps import AppConfig
from django.urls import register_converter


class AnnotationConfig(AppConfig):
    """Campaigns, items, assignments, answers and reviews."""

    name = "annotation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation import receivers  # noqa: F401 (they connect themselves)
        from annotation.blinding import HandleConverter

        register_converter(HandleConverter, "handle")
