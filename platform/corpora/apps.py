from django.apps import AppConfig


class CorporaConfig(AppConfig):
    """Studies, their members, texts, references, systems and outputs."""

    name = "corpora"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts.audit import GUARDS
        from corpora import members  # noqa: F401 (connects them)
        from corpora.actions.lock_study import refuse_archived

        if refuse_archived not in GUARDS:
            GUARDS.append(refuse_archived)
