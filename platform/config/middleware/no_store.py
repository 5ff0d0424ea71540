"""No cache keeps what shows somebody's data: no proxy, nor the browser after its person signed out."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.permissions import Open
from accounts.permissions.routes import ROUTES
from accounts.permissions.routes.special import BY_SECRET

PRIVATE = "private, no-store"


class NoStore:
    """Middleware: all but public pages say `Cache-Control: private, no-store`, refusals and downloads too.

    Public is what anyone may open, asked for without a session or a token, that sets no cookie. No question is asked of
    the database: a page that says that the database is away says it, too. Static files do not come by here.
    """

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        if answer.cookies or _knows_somebody(request) or not _is_public(request):
            answer["Cache-Control"] = PRIVATE
        return answer


def _knows_somebody(request: HttpRequest) -> bool:
    return settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers


def _is_public(request: HttpRequest) -> bool:
    found = request.resolver_match
    if found is None:
        return True  # there is nothing at this address
    return ROUTES.get(found.view_name) is Open.ANYONE and found.view_name not in BY_SECRET
