"""Nothing of a person stays in the browser after they signed out: answers that waited, drafts, caches."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

CLEAR = '"cache", "storage"'
BESIDE_OTHERS = '"cache"'  # the storage is of all sites of the host: the page clears its own (js/queue/signing_out.js)


class ClearOnSignOut:
    """Middleware: the answer to signing out says `Clear-Site-Data`. The cookie is Django's own to remove."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        found = request.resolver_match
        is_sign_out = request.method == "POST" and found is not None and found.view_name == "account_logout"
        if is_sign_out and not request.user.is_authenticated:  # a request that was refused leaves them signed in
            answer["Clear-Site-Data"] = BESIDE_OTHERS if settings.PATH else CLEAR
        return answer
