from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People, roles, access links, tokens, and who may do what."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts.api_schema import token_scheme  # noqa: F401
        from accounts.audit import sign_ins  # noqa: F401 (make themselves known)
