from collections.abc import Iterable
from datetime import timedelta

from django.utils import timezone

from accounts.audit import audited
from accounts.authentication import digest_of, new_secret
from accounts.models import ApiToken, Person
from foundation.errors import UserError

LONGEST_DAYS = 365


@audited
def make_token(
    *, person: Person, name: str, scopes: Iterable[str], days: int, within: ApiToken | None = None
) -> tuple[ApiToken, str]:
    """A token and its secret, which is kept nowhere. One made with a token (`within`) gets no more and no longer."""
    chosen = sorted({ApiToken.Scope(scope) for scope in scopes})
    if not chosen:
        raise UserError("Choose at least one thing that the token may do.", where="Scopes")
    if not 1 <= days <= LONGEST_DAYS:
        raise UserError("A token is valid for 1 to {longest_days} days.", longest_days=LONGEST_DAYS, where="Days")
    expires = timezone.now() + timedelta(days=days)
    if within is not None:
        if not set(chosen) <= set(within.scopes):
            raise UserError("A token cannot make a token with more rights than its own.", where="Scopes")
        expires = min(expires, within.expires_at)
    secret = new_secret()
    fields = {"prefix": secret[:8], "digest": digest_of(secret), "scopes": chosen, "expires_at": expires}
    return ApiToken.objects.create(person=person, name=name.strip(), **fields), secret
