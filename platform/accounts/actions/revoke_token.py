from accounts.audit import audited
from accounts.models import ApiToken


@audited
def revoke_token(*, token: ApiToken) -> None:
    """Make a token worthless."""
    token.delete()
