from django.apps import AppConfig


class ModelservingConfig(AppConfig):
    """Transfer models run on a study's texts."""

    name = "modelserving"
    default_auto_field = "django.db.models.BigAutoField"
