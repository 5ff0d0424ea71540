"""Tokens of the API: `Authorization: Token <secret>`."""

from datetime import timedelta
from functools import cache
from typing import Any

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed

from accounts.authentication.secrets import digest_of
from accounts.database.prepared_statements import fetch_one, instance_from_row, select_columns
from accounts.models import ApiToken, Person
from accounts.permissions import Can, may

NOTED_EVERY = timedelta(minutes=1)  # last_used_at is for people: once a minute is enough


class TokenAuthentication(BaseAuthentication):
    keyword = "Token"

    def authenticate_header(self, request: Any) -> str:
        return self.keyword

    def authenticate(self, request: Any) -> tuple[Any, ApiToken] | None:
        parts = get_authorization_header(request).split()
        if not parts or parts[0].lower() != b"token":
            return None
        if len(parts) != 2:
            raise AuthenticationFailed("The Authorization header must be 'Token' and the token, with one space.")
        return self._owner(parts[1].decode("latin-1"))

    def _owner(self, secret: str) -> tuple[Any, ApiToken]:
        token = _token(digest_of(secret))
        if token is None or token.expires_at <= timezone.now() or not may(token.person, Can.USE_TOKENS):
            raise AuthenticationFailed("The token is unknown, has expired, or its owner is no longer active.")
        _note_use(token)
        return token.person, token


def _token(digest: str) -> ApiToken | None:
    """The token of that digest with its owner: every request of a program asks for it."""
    row = fetch_one(_statement(), {"digest": digest})
    if row is None:
        return None
    size = len(ApiToken._meta.concrete_fields)
    token = instance_from_row(ApiToken, row[:size])
    token.person = instance_from_row(Person, row[size:])
    return token


@cache
def _statement() -> str:
    return f"""
        SELECT {select_columns(ApiToken, "t")}, {select_columns(Person, "p")} FROM accounts_apitoken t
        JOIN accounts_person p ON p.id = t.person_id WHERE t.digest = %(digest)s
    """  # noqa: S608 (names of columns, from the models)


def _note_use(token: ApiToken) -> None:
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at >= NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
