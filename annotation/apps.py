from django.apps import AppConfig
from django.urls import register_converter


class AnnotationConfig(AppConfig):
    """Campaigns, items, assignments, answers and reviews."""

    name = "annotation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation.blinding.handles import HandleConverter
        from annotation.receivers import frozen_splits, person_erasure, signed_out  # noqa: F401 (they connect themselves)

        register_converter(HandleConverter, "handle")
