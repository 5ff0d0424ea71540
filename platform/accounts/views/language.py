"""The choice of the interface's language, by people who are signed in and by others."""

from typing import Any
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from accounts.actions.choose_language import choose_language
from accounts.audit import set_acting_person
from accounts.forms import LanguageForm

YEAR = 365 * 24 * 3600


@require_http_methods(["GET", "HEAD", "POST"])
def language(request: Any) -> HttpResponse:
    """Keep the choice at the person's account, or in a cookie of the browser, and go back to the page.

    GET is the choice as a page, for browsers without scripts; others have it as a menu of each page.
    """
    if request.method != "POST":
        return render(request, "accounts/language.html", {"next": _way_back(request)})
    form = LanguageForm(request.POST)
    answer = redirect(_way_back(request))
    if not form.is_valid():
        return answer
    chosen = form.cleaned_data["language"]
    if request.user.is_authenticated:
        set_acting_person(request.user)  # the route asks for nobody, so nobody was named yet
        choose_language(person=request.user, language=chosen)
    elif chosen:
        answer.set_cookie(
            settings.LANGUAGE_COOKIE_NAME, chosen, max_age=YEAR, path=settings.LANGUAGE_COOKIE_PATH,
            secure=settings.HTTPS, httponly=True, samesite="Lax",
        )  # fmt: skip
    if not chosen:
        answer.delete_cookie(settings.LANGUAGE_COOKIE_NAME, path=settings.LANGUAGE_COOKIE_PATH, samesite="Lax")
    return answer


def _way_back(request: Any) -> str:
    """The page on which the form stood, or from which the page of the choice was opened; of this site alone."""
    said = request.POST.get("next", "")
    if said.startswith("/") and url_has_allowed_host_and_scheme(said, None):
        return str(said)
    came = urlsplit(request.headers.get("Referer", ""))
    return urlunsplit(("", "", came.path, came.query, "")) if came.netloc == request.get_host() else reverse("home")
