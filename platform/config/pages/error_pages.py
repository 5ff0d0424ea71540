"""The answers where no view answers: pages in the site's look, and JSON below /api/."""

import sys
from typing import Any

import redis
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from accounts.permissions import Refused
from foundation.confined import TooManyFiles
from foundation.disk import is_disk_full


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 400, _("The server could not read this request."))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, Refused):
        return _answer(request, 403, exception.sentence, said=True)
    return _answer(request, 403, _("You may not do this."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 404, _("There is nothing at this address."))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form was sent without the token that its page carried: cookies are off, or the page is an old one."""
    return render(request, "403_csrf.html", status=403)


AWAY = (OperationalError, InterfaceError, redis.ConnectionError, redis.TimeoutError)
AGAIN_SECONDS, BUSY_SECONDS = 2, 10


def server_error(request: HttpRequest) -> HttpResponse:
    """The page of an error of the program. It uses nothing that may have failed: no session, no database."""
    error = sys.exc_info()[1]
    if is_disk_full(error):
        return full(request)
    if isinstance(error, AWAY):
        return away(request)
    if isinstance(error, TooManyFiles):
        return busy(request)
    if request.path_info.startswith("/api/"):
        return JsonResponse({"detail": "The program made an error."}, status=500)
    try:
        page = render_to_string("500.html")
    except Exception:  # what broke may be what pages are made of
        page = "The program made an error."
    return HttpResponse(page, status=500)


def away(request: HttpRequest) -> HttpResponse:
    """The database or the queue starts again: 503, and when to come again. A page that is read does so by itself."""
    sentence = _("The site is restarting; try again in a few seconds. Everything saved is safe.")
    if request.path_info.startswith("/api/"):
        answer: HttpResponse = JsonResponse({"detail": sentence}, status=503)
    else:
        answer = HttpResponse(render_to_string("503.html"), status=503)
        if request.method in {"GET", "HEAD"} and "HX-Request" not in request.headers:
            answer["Refresh"] = str(AGAIN_SECONDS)
    answer["Retry-After"] = str(AGAIN_SECONDS)
    return answer


def busy(request: HttpRequest) -> HttpResponse:
    """Others' files are being read, as many as may be at the same time: 503, and when to come again."""
    sentence = _("Many files are being read at the moment. Send yours again in a few seconds; nothing was changed.")
    if request.path_info.startswith("/api/"):
        answer: HttpResponse = JsonResponse({"detail": sentence}, status=503)
    else:
        answer = HttpResponse(render_to_string("503_files.html", {"sentence": sentence}), status=503)
    answer["Retry-After"] = str(BUSY_SECONDS)
    return answer


def full(request: HttpRequest) -> HttpResponse:
    """A disk is full: 507, and a sentence that says so. Work pages keep what was typed, and send it again."""
    sentence = _("The site's disk is full, so it can store nothing. Everything saved is safe; tell an admin.")
    if request.path_info.startswith("/api/"):
        return JsonResponse({"detail": sentence}, status=507)
    return HttpResponse(render_to_string("507.html", {"sentence": sentence}), status=507)


def _answer(request: Any, status: int, sentence: str, said: bool = False) -> HttpResponse:
    if request.path_info.startswith("/api/"):
        return JsonResponse({"detail": sentence}, status=status)
    return render(request, f"{status}.html", {"sentence": sentence} if said else None, status=status)
