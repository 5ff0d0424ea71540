"""Tokens of the API: `Authorization: Token <secret>`."""

import hashlib
from typing import Any

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed

from accounts.models import ApiToken


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


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
        if token is None or token.expires_at <= timezone.now() or not token.person.is_active:
            raise AuthenticationFailed("The token is unknown, has expired, or its owner is no longer active.")
        return token.person, token
