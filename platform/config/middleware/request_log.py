"""One line a request: method, path, status, milliseconds, who, and the request's id, which other lines of it have too.

No query, no body and no secret of an address stands in a line. A refusal is one line and no traceback; what the program
did wrong has both.
"""

import logging
import re
import secrets
import time
from typing import Any

from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.utils.functional import LazyObject, empty

from health.probes import PROBES
from logs.line_format import NOBODY, REQUEST
from logs.safe_path import safe_path

ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
logger = logging.getLogger("restyle.requests")


class LogRequests:
    """Middleware, before those that refuse. A proxy's `X-Request-ID` is kept; the answer says it."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        given = request.headers.get("X-Request-ID", "")
        token = REQUEST.set(given if ID.fullmatch(given) else secrets.token_hex(8))
        try:
            answer = self.get_response(request)
            answer["X-Request-ID"] = REQUEST.get()
            answer["X-Restyle"] = "1"  # scripts tell by it who answered: js/server.js
            if request.path_info not in PROBES or answer.status_code >= 400:
                took = (time.perf_counter() - began) * 1000
                line = (request.method, safe_path(request), answer.status_code, took, _person(request))
                logger.info("%s %s %s %.0f ms person=%s", *line)
            return answer
        finally:
            REQUEST.reset(token)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Who goes away in the middle of a form hears nothing any more, and made no error of the program."""
        return HttpResponse(status=400) if isinstance(exception, UnreadablePostError) else None


def _person(request: Any) -> Any:
    """Their number, where the request asked for them anyway."""
    person = getattr(request, "user", None)
    if isinstance(person, LazyObject) and person.__dict__.get("_wrapped", empty) is empty:
        return NOBODY
    return getattr(person, "pk", None) or NOBODY
