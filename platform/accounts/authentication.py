"""Tokens of the API: `Authorization: Token <secret>`."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed

from accounts.models import ApiToken
from accounts.permissions import Can, may
from accounts.secrets import digest_of

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
        token = ApiToken.objects.select_related("person").filter(digest=digest_of(secret)).first()
        if token is None or token.expires_at <= timezone.now() or not may(token.person, Can.USE_TOKENS):
            raise AuthenticationFailed("The token is unknown, has expired, or its owner is no longer active.")
        _note_use(token)
        return token.person, token


def _note_use(token: ApiToken) -> None:
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at >= NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
