from django.apps import AppConfig
from django.utils.translation import gettext


class ModelservingConfig(AppConfig):
    """Transfer models run on a study's texts."""

    name = "modelserving"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts.audit_words import ENTRIES
        from modelserving import sinks  # noqa: F401 (a registry, which plugins are held to, and no page reads)

        ENTRIES["model"] = _model


def _model(name: str) -> str:
    """The label of a kind of model; its bare name if this installation no longer has it."""
    from modelserving.transfer import TRANSFERS

    return gettext(TRANSFERS[name].label) if name in TRANSFERS else name
