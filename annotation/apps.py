from django.apps import AppConfig
from django.urls import register_converter


class AnnotationConfig(AppConfig):
    """Campaigns, items, assignments, answers and reviews."""

    name = "annotation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation.blinding.handles import HandleConverter
        from annotation.receivers import (  # noqa: F401 (they connect themselves)
            frozen_splits,
            gone_people,
            person_erasure,
            signed_out,
        )

        register_converter(HandleConverter, "handle")
