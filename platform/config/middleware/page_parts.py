"""The parts of pages that browsers keep. They hold nothing of anybody, so nobody is asked for, and no cookie read."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from config.pages.page_parts import PLACE, parts_at

KEPT = "public, max-age=31536000, immutable"


class PageParts:
    """Middleware, before those that ask who it is."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        found = parts_at(request.path_info) if request.path_info.startswith(f"/{PLACE}") else None
        if found is None:
            return self.get_response(request)
        script, is_as_named = found
        kept = KEPT if is_as_named else "no-store"
        return HttpResponse(script, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": kept})
