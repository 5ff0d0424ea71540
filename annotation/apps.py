from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """Campaigns, items, slots, answers and reviews."""

    name = "annotation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation import forgetting, receivers  # noqa: F401 (they connect themselves)
