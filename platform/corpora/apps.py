from django.apps import AppConfig
from django.utils.translation import gettext


class CorporaConfig(AppConfig):
    """Studies, their members, texts, references, systems and outputs."""

    name = "corpora"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts.audit import GUARDS
        from accounts.audit_words import ENTRIES
        from corpora import members  # noqa: F401 (connects them)
        from corpora.actions.lock_study import refuse_archived

        if refuse_archived not in GUARDS:
            GUARDS.append(refuse_archived)
        ENTRIES["rule"] = _rule


def _rule(rule: str) -> str:
    """The words of a rule that shares texts out to splits; another rule as it is."""
    from corpora.fields import SplitFields
    from foundation.options import option_named

    splits = option_named(SplitFields, "rule")
    return gettext(dict(zip(splits.choices, splits.labels, strict=True)).get(rule, rule))
