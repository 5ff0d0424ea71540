from django.apps import AppConfig
from django.urls import register_converter
from django.utils.translation import gettext


class AnnotationConfig(AppConfig):
    """Campaigns, items, assignments, answers and reviews."""

    name = "annotation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts.audit_words import ENTRIES
        from annotation import receivers  # noqa: F401 (they connect themselves)
        from annotation.blinding import HandleConverter

        register_converter(HandleConverter, "handle")
        ENTRIES["task_type"] = _kind_of_work
        ENTRIES["template"] = _template


def _kind_of_work(name: str) -> str:
    """The label of a kind of work; its bare name if this installation no longer has it."""
    from annotation.task_types import TASK_TYPES

    return gettext(TASK_TYPES[name].label) if name in TASK_TYPES else name


def _template(name: str) -> str:
    from annotation.study_templates import TEMPLATES

    return gettext(TEMPLATES[name].label) if name in TEMPLATES else name
