"""Browsers in which somebody has signed in: a cookie says so, and wrong passwords from elsewhere do not count there.

OWASP calls it a device cookie (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
It opens nothing: without the password it is worth as many tries as any other browser has.
"""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import get_random_string

from accounts.models import Person

COOKIE, SALT = "known", "accounts.known_browser"
DAYS = 180


def remember(answer: HttpResponseBase, person: Person) -> None:
    """Have the browser that gets the answer be known as one of theirs, until they choose another password."""
    answer.set_signed_cookie(
        COOKIE, f"{person.pk}:{_mark(person)}:{get_random_string(12)}", salt=SALT, max_age=DAYS * 24 * 3600,
        path=settings.SESSION_COOKIE_PATH, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax",
    )  # fmt: skip


def known_as(request: HttpRequest, email: str) -> str:
    """What tells this browser from others, if the person with this address signed in in it before; else ''."""
    said: Any = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=DAYS * 24 * 3600)
    parts = said.split(":")
    person = Person.objects.filter(email=email.lower(), is_active=True).first() if len(parts) == 3 else None
    return said if person is not None and parts[:2] == [str(person.pk), _mark(person)] else ""


def _mark(person: Person) -> str:
    return person.get_session_auth_hash()[:16]
