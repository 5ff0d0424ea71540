from accounts.models import ApiToken


def revoke_token(*, token: ApiToken) -> None:
    """Make a token worthless."""
    token.delete()
