"""The Content-Security-Policy, which is the same for all pages: put together once."""

from functools import cache
from typing import Any

from csp.constants import HEADER
from csp.utils import build_policy
from django.http import HttpRequest, HttpResponse

_policy = cache(build_policy)


class ContentSecurityPolicy:
    """Middleware: every answer has the policy of the settings. No page has one of its own, nor a nonce."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        answer.headers[HEADER] = _policy()
        return answer
