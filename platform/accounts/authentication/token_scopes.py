"""What a token of the API may be used for. A session has no scopes: it may do all that its person may."""

from typing import Any

from django.core.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS

from accounts.models import ApiToken

Scope = ApiToken.Scope


def required_scope(request: Any, view: Any) -> str:
    """READ for safe methods, WRITE for the others; a view that says `scope = "annotate"` needs that for all."""
    stated = getattr(view, "scope", None)
    if stated:
        return Scope(stated)
    return Scope.READ if request.method in SAFE_METHODS else Scope.WRITE


def check_scope(request: Any, view: Any) -> None:
    """Raise PermissionDenied where the request came with a token that lacks the scope."""
    token = request.auth
    if isinstance(token, ApiToken) and required_scope(request, view) not in token.scopes:
        raise PermissionDenied(f"This token lacks the scope '{required_scope(request, view)}'.")
