from accounts.models import ApiToken
from accounts.trail import recorded


@recorded
def revoke_token(*, token: ApiToken) -> None:
    """Make a token worthless."""
    token.delete()
