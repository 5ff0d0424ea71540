"""Signing in, API tokens, passwords, access links, and the site's key."""

import hashlib
import logging
import secrets
import sys
import time
from datetime import timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import DatabaseError, ProgrammingError, connection
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.crypto import get_random_string
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS

from accounts.database import close_pool
from accounts.database.prepared_statements import fetch_one, instance_from_row, select_columns
from accounts.models import AccessLink, ApiToken, Person, SiteKey
from accounts.permissions import Can, may, role_rank
from foundation.errors import UserError


def open_invitations() -> Any:
    """Invitations that can still be accepted."""
    return AccessLink.objects.filter(
        purpose=AccessLink.Purpose.INVITATION, used_at__isnull=True, expires_at__gt=timezone.now()
    ).select_related("made_by")


# Browsers in which somebody has signed in: a cookie says so, and wrong passwords from elsewhere do not count there.
#
# OWASP calls it a device cookie
# (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies). It opens nothing: without
# the password it is worth as many tries as any other browser has.

COOKIE, SALT = "known", "accounts.known_browser"
DAYS = 180


def remember(answer: HttpResponseBase, person: Person) -> None:
    """Have the browser that gets the answer be known as one of theirs, until they choose another password."""
    answer.set_signed_cookie(
        COOKIE, f"{person.pk}:{_mark(person)}:{get_random_string(12)}", salt=SALT, max_age=DAYS * 24 * 3600,
        path=settings.SESSION_COOKIE_PATH, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax",
    )  # fmt: skip


def known_as(request: HttpRequest, email: str) -> str:
    """The signed mark of this browser, if the person with this address signed in in it before; else ''."""
    said: Any = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=DAYS * 24 * 3600)
    parts = said.split(":")
    person = Person.objects.filter(email=email.lower(), is_active=True).first() if len(parts) == 3 else None
    return said if person is not None and parts[:2] == [str(person.pk), _mark(person)] else ""


def _mark(person: Person) -> str:
    return person.get_session_auth_hash()[:16]


# The rules of passwords, as one sentence, and the sessions and tokens that end with an old one.


def check_password_rules(password: str, person: Person) -> None:
    """Raise UserError with every rule that `password` breaks."""
    try:
        validate_password(password, person)
    except ValidationError as error:
        raise UserError(" ".join(error.messages), where="Password") from error


def renew_password(person: Person, password: str | None) -> Person:
    """Give them another password (None: none that anybody knows). It ends their sessions and tokens.

    Somebody who learnt the old password may have made tokens with it. Sessions end by themselves: they carry a digest
    of the password under which they began.
    """
    person.set_password(password)
    person.save(update_fields=["password"])
    end_tokens(person)
    return person


def end_tokens(person: Person) -> None:
    """Delete their tokens, and the links with which they could choose a password."""
    person.tokens.all().delete()
    person.access_links.filter(used_at__isnull=True).delete()


# Secrets that are shown once: only their SHA-256 is kept.


def new_secret() -> str:
    """43 characters that fit into an address; 256 random bits."""
    return secrets.token_urlsafe(32)


def digest_of(secret: str) -> str:
    """The SHA-256 of a secret, in hexadecimal. A plain hash is enough: 256 random bits cannot be guessed."""
    return hashlib.sha256(secret.encode()).hexdigest()


# Finding the access link that a secret opens, and making new ones.

VALID_DAYS = {AccessLink.Purpose.INVITATION: 14, AccessLink.Purpose.PASSWORD_RESET: 2}


def make_link(purpose: AccessLink.Purpose, *, by: Person, **fields: object) -> tuple[AccessLink, str]:
    """A new link and its secret, which is kept nowhere."""
    secret = new_secret()
    expires = timezone.now() + timedelta(days=VALID_DAYS[purpose])
    fields |= {"purpose": purpose, "made_by": by, "expires_at": expires, "digest": digest_of(secret)}
    return AccessLink.objects.create(**fields), secret


def open_link(secret: str, purpose: AccessLink.Purpose, *, lock: bool = False) -> AccessLink:
    """The link that `secret` opens, or UserError. With `lock`, nobody else can use it until the transaction ends."""
    links = AccessLink.objects.select_related("made_by", "person")
    if lock:
        links = links.select_for_update(of=("self",))
    link = links.filter(digest=digest_of(secret), purpose=purpose).first()
    if link is None:
        raise UserError("This link is unknown here: a part of it may be missing, or it was withdrawn.")
    if link.used_at:
        raise UserError("This link was already used; each link works once.")
    if link.expires_at <= timezone.now():
        raise UserError("This link has expired; ask for a new one.")
    if not _maker_still_may(link):
        raise UserError("The person who made this link may no longer make one; ask for a new link.")
    return link


def _maker_still_may(link: AccessLink) -> bool:
    if link.purpose == AccessLink.Purpose.PASSWORD_RESET:
        return link.person is not None and link.person.is_active
    return link.made_by.is_active and role_rank(link.made_by.role) >= role_rank(link.role)


def use_up(link: AccessLink) -> None:
    """Mark a locked link as used."""
    link.used_at = timezone.now()
    link.save(update_fields=["used_at"])


# Tokens of the API: `Authorization: Token <secret>`.

NOTED_EVERY = timedelta(minutes=1)  # last_used_at is for people: once a minute is enough


class TokenAuthentication(BaseAuthentication):
    keyword = "Token"

    def authenticate_header(self, request: Any) -> str:
        return self.keyword

    def authenticate(self, request: Any) -> tuple[Any, ApiToken] | None:
        parts = get_authorization_header(request).split()
        if not parts or parts[0].lower() != b"token":
            return None
        if len(parts) != 2:
            raise AuthenticationFailed("The Authorization header must be 'Token' and the token, with one space.")
        return self._owner(parts[1].decode("latin-1"))

    def _owner(self, secret: str) -> tuple[Any, ApiToken]:
        token = _token(digest_of(secret))
        if token is None or token.expires_at <= timezone.now() or not may(token.person, Can.USE_TOKENS):
            raise AuthenticationFailed("The token is unknown, has expired, or its owner is no longer active.")
        note_use(token)
        return token.person, token


def _token(digest: str) -> ApiToken | None:
    """The token of that digest with its owner: every request of a program asks for it."""
    row = fetch_one(_statement(), {"digest": digest})
    if row is None:
        return None
    size = len(ApiToken._meta.concrete_fields)
    token = instance_from_row(ApiToken, row[:size])
    token.person = instance_from_row(Person, row[size:])
    return token


@cache
def _statement() -> str:
    return f"""
        SELECT {select_columns(ApiToken, "t")}, {select_columns(Person, "p")} FROM accounts_apitoken t
        JOIN accounts_person p ON p.id = t.person_id WHERE t.digest = %(digest)s
    """  # noqa: S608 (names of columns, from the models)


def note_use(used: Any) -> None:
    """Record that somebody uses a token or a link now."""
    now = timezone.now()
    if used.last_used_at is None or now - used.last_used_at >= NOTED_EVERY:
        type(used).objects.filter(pk=used.pk).update(last_used_at=now)


# One site, one SECRET_KEY: a process that has another one refuses to start.
#
# It would start without a word, and then know no session, no lease and no link of the others, nor they of it.

ITERATIONS = 100_000  # tens of milliseconds, once a process
PATIENCE = 60.0  # seconds that a process waits at its start for a database that does not answer
OTHER = (
    "SECRET_KEY differs from the site's key: sessions, leases and links would break. Give this process "
    "the site's key, or run `manage.py rotate_key` if the key was changed on purpose."
)


def slow_digest(key: str) -> str:
    """Slow, salted, and not to be led back to the key."""
    return PBKDF2PasswordHasher().encode(key, get_random_string(22), ITERATIONS)


def fits(key: str, digest: str) -> bool:
    return PBKDF2PasswordHasher().verify(key, digest)


def require_site_key() -> None:
    """Raise UserError where this process's SECRET_KEY is not the site's; the first process of a site sets it."""
    kept = SiteKey.objects.filter(pk=1).first()
    if kept is None:
        SiteKey.objects.bulk_create([SiteKey(digest=slow_digest(settings.SECRET_KEY))], ignore_conflicts=True)
        kept = SiteKey.objects.get(pk=1)
    if not fits(settings.SECRET_KEY, kept.digest):
        raise UserError(OTHER)


def require_site_key_at_start(*_: Any, **__: Any) -> None:
    """For servers and workers: end the process where its key is not the site's.

    A database that is away is waited for; one without tables has no site yet.
    """
    give_up = time.monotonic() + PATIENCE
    while True:
        try:
            return require_site_key()
        except UserError as error:
            sys.stderr.write(f"{error}\n")
            sys.exit(1)
        except ProgrammingError:  # no migration was run yet: there is no site whose key it could be
            return None
        except DatabaseError as error:
            if time.monotonic() > give_up:
                sys.stderr.write(f"The database does not answer: {error}\n")
                sys.exit(1)
            logging.getLogger(__name__).warning("The database does not answer yet.")
            time.sleep(1)
        finally:
            close_pool(connection)  # a worker forks after this


# The scopes of a token of the API. A session has no scopes: it may do all that its person may.

Scope = ApiToken.Scope


def required_scope(request: Any, view: Any) -> str:
    """READ for safe methods, WRITE for the others; a view that says `scope = "annotate"` needs that for all."""
    stated = getattr(view, "scope", None)
    if stated:
        return Scope(stated)
    return Scope.READ if request.method in SAFE_METHODS else Scope.WRITE


def check_scope(request: Any, view: Any) -> None:
    """Raise PermissionDenied where the request came with a token that lacks the scope."""
    token = request.auth
    if isinstance(token, ApiToken) and required_scope(request, view) not in token.scopes:
        raise PermissionDenied(f"This token lacks the scope '{required_scope(request, view)}'.")
