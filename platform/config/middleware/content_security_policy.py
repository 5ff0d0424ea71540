"""Content-Security-Policy and Permissions-Policy, which are the same for all pages: put together once."""

from functools import cache
from typing import Any

from csp.constants import HEADER
from csp.utils import build_policy
from django.http import HttpRequest, HttpResponse

_policy = cache(build_policy)
# What a page asks of a device; none here asks for any of it. Names that a browser does not know are errors there.
DENIED = (
    "accelerometer", "autoplay", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer",
    "microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
PERMISSIONS = ", ".join(f"{name}=()" for name in DENIED)


class ContentSecurityPolicy:
    """Middleware: every answer has the policies. No page has any of its own, nor a nonce."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        answer.headers[HEADER] = _policy()
        answer.headers["Permissions-Policy"] = PERMISSIONS
        return answer
