from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People, roles, access links, tokens, and who may do what."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import (
            api_schema,  # noqa: F401
            audit,  # noqa: F401
            kept_answers,  # noqa: F401 (make themselves known)
        )
        from accounts.audit_words import ENTRIES

        ENTRIES["role"] = ENTRIES["roles"] = _role


def _role(role: str) -> str:
    from accounts.forms import ROLE_LABELS

    return str(ROLE_LABELS.get(role, role))
