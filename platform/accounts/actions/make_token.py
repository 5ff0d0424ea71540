from collections.abc import Iterable
from datetime import timedelta

from django.utils import timezone

from accounts.audit import audited
from accounts.authentication import digest_of, new_secret
from accounts.fields import TokenFields
from accounts.models import ApiToken, Person
from foundation.errors import UserError
from foundation.options import validate_options


@audited
def make_token(
    *, person: Person, name: str, scopes: Iterable[str], days: int, within: ApiToken | None = None
) -> tuple[ApiToken, str]:
    """A token and its secret, which is kept nowhere. One made with a token (`within`) gets no more and no longer."""
    given = validate_options(TokenFields, {"name": name, "scopes": list(scopes), "days": days})
    expires = timezone.now() + timedelta(days=given.days)
    if within is not None:
        if not set(given.scopes) <= set(within.scopes):
            raise UserError("A token cannot make a token with more rights than its own.", where="scopes")
        expires = min(expires, within.expires_at)
    secret = new_secret()
    fields = {"prefix": secret[:8], "digest": digest_of(secret), "scopes": given.scopes, "expires_at": expires}
    return ApiToken.objects.create(person=person, name=given.name, **fields), secret
