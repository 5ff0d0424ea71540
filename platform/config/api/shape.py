"""The version of the API's requests and answers, and the versions of clients that it understands.

A client names the version that it was written for in the header `Restyle-Version` (0.2, or 0.2.0); each answer below
/api/ names this one. docs/upgrading.md lists the changes of each version, and `tests/golden/api` holds its schema.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from foundation.project import version

HEADER = "Restyle-Version"


def minor_of(said: str) -> str:
    """0.2 of 0.2.0: within it no request is understood otherwise."""
    return ".".join(said.strip().split(".")[:2])


HERE = minor_of(version())
UNDERSTOOD = ("0.1", "0.2")
"""The versions whose requests are taken; the newest is this one."""


class ShapeOfTheApi:
    """Middleware: an answer says the version, and a client of one that is not understood gets one sentence (400)."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith("/api/"):
            answer: HttpResponse = self.get_response(request)
            return answer
        asked = request.headers.get(HEADER, HERE)
        answer = self.get_response(request) if minor_of(asked) in UNDERSTOOD else _refused(asked)
        answer[HEADER] = HERE
        return answer


def _refused(asked: str) -> HttpResponse:
    sentence = _("{header}: this API understands {understood}, and the client asks for {asked}.")
    told = sentence.format(header=HEADER, understood=", ".join(UNDERSTOOD), asked=asked[:20])
    return JsonResponse({"detail": told}, status=400)
