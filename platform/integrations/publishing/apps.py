from django.apps import AppConfig


class PublishingConfig(AppConfig):
    """Data sets at services outside."""

    name = "integrations.publishing"
    label = "publishing"
    default_auto_field = "django.db.models.BigAutoField"
