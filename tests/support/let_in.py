"""A request that asks no more than whether it is let in: the last middleware answers it where the page would begin."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings

ASKED = {"X-Only-Let-In": "yes"}


class LetIn:
    """Answers 204 in the place of the page, behind all that may refuse the request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        return HttpResponse(status=204) if ASKED.items() <= request.headers.items() else None


def client_that_may_ask(**given: Any) -> Client:
    """A client whose requests with the header `ASKED` end at the page's door."""
    client = Client(**given)
    with override_settings(MIDDLEWARE=[*settings.MIDDLEWARE, f"{__name__}.LetIn"]):
        client.handler.load_middleware()
    return client
