"""The language of the interface: a person's own choice, then the browser's, then English.

There are two, since nobody knows the person until they are authenticated, and what fails before has a page, too.
"""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject


class BrowserLanguage:
    """Middleware: the language of the browser's cookie, else the first of its `Accept-Language` that there is.

    It ends with the answer, so that what is streamed (files, for programs) and what the thread does next is in English.
    """

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with translation.override(translation.get_language_from_request(request)):
            answer = self.get_response(request)
            answer.headers.setdefault("Content-Language", translation.get_language())
        patch_vary_headers(answer, ("Accept-Language", "Cookie"))
        return answer


class PersonLanguage:
    """Middleware, after authentication: the language that the person who is signed in chose.

    A request without a session asks nothing of the database; others ask for their person anyway.
    """

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            request.user = at_hand(request.user)
            if chosen := language_of(request.user):
                translation.activate(chosen)
        return self.get_response(request)


def at_hand(person: Any) -> Any:
    """The person themselves, in place of Django's lazy object, which takes a detour at each of many looks."""
    if isinstance(person, SimpleLazyObject):
        bool(person)  # asks for them
        return person._wrapped  # type: ignore[attr-defined, unused-ignore]
    return person


def language_of(person: Any) -> str:
    """What the person chose, '' where they leave it to the browser or the language is gone from the site."""
    chosen = getattr(person, "interface_language", "")
    return chosen if chosen in dict(settings.LANGUAGES) else ""
