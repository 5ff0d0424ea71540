"""Middleware: a request of the API that names an `Idempotency-Key` is done once (accounts/kept_answers.py)."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from rest_framework.permissions import SAFE_METHODS

from accounts.kept_answers import HEADER, OneAct

LONGEST_PATH = 450


class KeptAnswers:
    """The last middleware, around the endpoint alone: it ends the transaction that `RoutePermission` begins."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        key = request.headers.get(HEADER)
        if key is None or request.method in SAFE_METHODS or not request.path_info.startswith("/api/"):
            answer: HttpResponse = self.get_response(request)
            return answer
        act = OneAct(key, f"{request.method} {request.path_info[:LONGEST_PATH]}")
        request.one_act = act  # type: ignore[attr-defined]
        return act.end(self.get_response(request))
