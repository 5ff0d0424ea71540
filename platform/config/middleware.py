"""The middleware of every request: authorization, caching headers, the limit of uploads, the request log."""

import logging
import re
import secrets
import time
from functools import cache
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.functional import LazyObject, SimpleLazyObject, empty
from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS, BasePermission

from accounts import authentication
from accounts.api_schema import check_query
from accounts.audit import Kind, log_event, log_event_daily, set_acting_person
from accounts.models import ApiToken
from accounts.permissions import SITE, Can, Open, Refused, may, require
from accounts.permissions.routes import (
    BY_SECRET,
    DRAWN,
    GIVES_WORK,
    ROUTES,
    TAKES_OUT,
    WHILE_ARCHIVED,
    WITHOUT_TEXTS,
    ByMethod,
)
from config.pages.page_parts import PLACE, parts_at
from corpora.actions.lock_study import ARCHIVED
from corpora.models import Study
from health.probes import PROBES
from logs.line_format import NOBODY, REQUEST
from logs.safe_path import safe_path

# Authorization: holds every page and endpoint to its row in `accounts/permissions/routes.py`.
#
# A study's route names the study in its address as `study`; this middleware fetches it, together with the person's role
# in it, and leaves it at `request.study`. Somebody who is no member is told that there is no such study.

LONGEST_ASKED = 60  # characters of a query parameter that the audit log keeps of a download


class AuthorizationMiddleware:
    """Middleware for pages. Endpoints of the API sign in later, so `RoutePermission` holds them to the same rows.

    An endpoint that does not ask `RoutePermission` is held to its row here, like a page.
    """

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            answer = self.get_response(request)
            note_taken(request, answer)
            return answer
        finally:
            set_acting_person(None)  # a thread serves one person after the other

    def process_view(self, request: Any, view: Any, args: Any, kwargs: dict[str, Any]) -> HttpResponse | None:
        if _asks_by_row(view):
            return None
        row = row_of(request)
        if row is not Open.ANYONE and not request.user.is_authenticated:
            return sign_in(request)
        try:
            check(request, row, kwargs)
        except Barred as barred:
            if request.path_info.startswith("/api/"):
                raise
            return to_terms(request, barred)
        except Archived as archived:
            if request.path_info.startswith("/api/"):
                raise
            return to_archived(request, archived)
        return None


class RoutePermission(BasePermission):
    """The API's endpoints check the same row."""

    def has_permission(self, request: Any, view: Any) -> bool:
        row = row_of(request)
        if row is not Open.ANYONE and not request.user.is_authenticated:
            return False
        authentication.check_scope(request, view)
        check(request, row, view.kwargs)
        check_query(request, view)
        note_token(request, view.kwargs)
        if act := getattr(request, "one_act", None):
            act.begin(request.user)
        return True


def sign_in(request: Any) -> HttpResponse:
    """Redirect to the sign-in page, and from there back to the page where the person was.

    htmx would put the sign-in page into a part of the page: its requests get 401, with a header that leads the browser
    on.
    """
    answer = redirect_to_login(_way_back(request))
    if request.htmx:
        return HttpResponse(status=401, headers={"HX-Redirect": answer.url})
    return answer


def _way_back(request: Any) -> str:
    """The page that was asked for; for a form, which has no page of its own, the page where it was filled in."""
    if request.htmx:
        return request.htmx.current_url_abs_path or reverse("home")
    if request.method in SAFE_METHODS:
        return str(request.get_full_path())
    came = urlsplit(request.headers.get("Referer", ""))
    return urlunsplit(("", "", came.path, came.query, "")) if came.netloc == request.get_host() else reverse("home")


def _asks_by_row(view: Any) -> bool:
    stated = getattr(view, "initkwargs", {}).get("permission_classes")
    return RoutePermission in (
        stated if stated is not None else getattr(getattr(view, "cls", None), "permission_classes", ())
    )


def row_of(request: Any) -> Can | Open:
    """The permission in the row of the request's route; a route without a row is closed."""
    name = request.resolver_match.view_name
    if name not in ROUTES:
        raise Closed
    row = ROUTES[name]
    if isinstance(row, ByMethod):
        return row.read if request.method in SAFE_METHODS else row.change
    return row


def check(request: Any, row: Can | Open, kwargs: dict[str, Any]) -> None:
    """Fetch the study that the address names, and raise unless the person may pass. Their actions go by their name."""
    if row is not Open.ANYONE:
        set_acting_person(request.user)
    if "study" in kwargs:
        request.study = study_of(request.user, kwargs["study"])
    if isinstance(row, Can):
        require(request.user, row, None if row in SITE else request.study)
    if "study" in kwargs and request.study.archived_at and _changes(request):
        raise Archived(request.study)
    if "study" in kwargs and request.resolver_match.view_name not in WITHOUT_TEXTS:
        bar = request.study.bars(request.user)
        if bar:
            raise Barred(request.study, bar)
        if request.study.terms_version or request.study.required_credentials:
            log_event_daily(request.user, Kind.READ, "read_texts", study=request.study.slug)


def note_token(request: Any, kwargs: dict[str, Any]) -> None:
    """Note in the audit log that a program acts in somebody's name: once by token, study and day."""
    if isinstance(request.auth, ApiToken):
        target = f"token {request.auth.prefix}"
        log_event_daily(request.user, Kind.TOKEN, "use_token", study=kwargs.get("study", ""), target=target)


# `Sec-Fetch-Dest` and `-Mode` of requests that a page itself makes, to draw; a link that is followed has others.
# Where no browser says so (plain http, an old or a private one), the page's own addresses do: `?shown=page`.
ASKED_BY_PAGES = frozenset({("empty", "cors"), ("empty", "same-origin"), ("image", "no-cors")})


def note_taken(request: Any, answer: HttpResponse) -> None:
    """Note who takes which file out of the site; a file that cannot be noted does not leave."""
    found = request.resolver_match
    if found is None or found.view_name not in TAKES_OUT or request.method != "GET" or answer.status_code != 200:
        return
    if found.view_name in DRAWN and _is_drawn(request):
        return
    what = " ".join(f"{name} {value}" for name, value in found.kwargs.items() if name != "study")
    given = ((_storable(name), _storable(value)) for name, value in request.GET.items())
    asked = {name: value for name, value in given if max(len(name), len(value)) <= LONGEST_ASKED}
    name = found.view_name.removeprefix("api:").replace("-", "_")
    log_event(
        request.user, Kind.EXPORT, f"take_{name}", study=found.kwargs.get("study", ""), target=what, details=asked
    )


def _is_drawn(request: Any) -> bool:
    said = request.headers.get("Sec-Fetch-Dest"), request.headers.get("Sec-Fetch-Mode")
    return request.GET.get("shown") == "page" if said == (None, None) else said in ASKED_BY_PAGES


def _storable(text: str) -> str:
    """PostgreSQL stores no NUL."""
    return text.replace("\0", "\ufffd")


class Closed(Refused):
    """The route has no row: nobody said who may use it. A library's new release may bring such routes."""

    def __init__(self) -> None:
        super().__init__(_("This address is closed: Restyle does not use it."))


class Barred(PermissionDenied):
    """The person may pass, but not see the texts yet: there are terms to accept, or a credential is lacking."""

    def __init__(self, study: Study, bar: str) -> None:
        self.study = study
        what = "accept its terms" if bar == "terms" else f"have the verified credential {bar}"
        super().__init__(f"Before you see this study's texts you must {what}: /studies/{study.slug}/terms/.")


class Archived(PermissionDenied):
    """The study is archived, so that nothing in it changes, and nobody is given work in it."""

    def __init__(self, study: Study) -> None:
        self.study = study
        super().__init__(ARCHIVED)


def _changes(request: Any) -> bool:
    """Whether the request would change an archived study, or give out work in it."""
    name = request.resolver_match.view_name
    if request.method in SAFE_METHODS:
        return name in GIVES_WORK
    return name not in WHILE_ARCHIVED and f"{name} {request.method}" not in WHILE_ARCHIVED


def to_archived(request: Any, archived: Archived) -> HttpResponse:
    """Go to the study's own page, which says why nothing was done."""
    messages.error(request, ARCHIVED)
    url = reverse("study", args=[archived.study.slug])
    return HttpResponse(status=403, headers={"HX-Redirect": url}) if request.htmx else redirect(url)


def to_terms(request: Any, barred: Barred) -> HttpResponse:
    """To the page that says what is lacking, and from there back."""
    url = f"{reverse('study_terms', args=[barred.study.slug])}?{urlencode({'next': _way_back(request)})}"
    return HttpResponse(status=401, headers={"HX-Redirect": url}) if request.htmx else redirect(url)


def study_of(person: Any, slug: str) -> Study:
    """The study, with the person's role in it at hand, or Http404 where they may not enter."""
    study = Study.with_role(slug, person)
    if study is None or not may(person, Can.ENTER_STUDY, study):
        raise Http404("There is no such study.")
    return study


_policy = cache(build_policy)
# Features of a device; no page here asks for any of them. Browsers log an error for names that they do not know.
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


# The language of the interface: a person's own choice, then the browser's, then English.
#
# There are two, since the person is not known until they are authenticated, and an error before that has a page, too.


class BrowserLanguage:
    """Middleware: the language of the browser's cookie, else the first of its `Accept-Language` that there is.

    It ends with the answer, so that streamed contents (files, for programs) and the thread's next work are in English.
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
    """The person themselves, in place of Django's lazy object, which costs time at each of many accesses."""
    if isinstance(person, SimpleLazyObject):
        bool(person)  # asks for them
        return person._wrapped  # type: ignore[attr-defined, unused-ignore]
    return person


def language_of(person: Any) -> str:
    """The language that the person chose, '' where they leave it to the browser or the site has it no more."""
    chosen = getattr(person, "interface_language", "")
    return chosen if chosen in dict(settings.LANGUAGES) else ""


PRIVATE = "private, no-store"


class NoStore:
    """Middleware: all but public pages say `Cache-Control: private, no-store`, refusals and downloads too.

    A page is public that anyone may open, that is asked for without a session or a token, and that sets no cookie. The
    database is not asked: the page that says that the database is away has the header, too. Static files do not come by
    here.
    """

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        if answer.cookies or _knows_somebody(request) or not _is_public(request):
            answer["Cache-Control"] = PRIVATE
        return answer


def _knows_somebody(request: HttpRequest) -> bool:
    return settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers


def _is_public(request: HttpRequest) -> bool:
    found = request.resolver_match
    if found is None:
        return True  # there is nothing at this address
    return ROUTES.get(found.view_name) is Open.ANYONE and found.view_name not in BY_SECRET


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


# One line a request: method, path, status, milliseconds, who, and the request's id, which other lines of it have too.
#
# No query, no body and no secret of an address stands in a line. A refusal is one line and no traceback; what the
# program did wrong has both.

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
        """Answer 400 to a client that went away in the middle of a form: that is no error of the program."""
        return HttpResponse(status=400) if isinstance(exception, UnreadablePostError) else None


def _person(request: Any) -> Any:
    """Their number, where the request asked for them anyway."""
    person = getattr(request, "user", None)
    if isinstance(person, LazyObject) and person.__dict__.get("_wrapped", empty) is empty:
        return NOBODY
    return getattr(person, "pk", None) or NOBODY


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


# Uploads that are too large are refused while they come in, so that they fill neither memory nor disk.

CHECKPOINT_ROUTES = {"checkpoint_import", "api:checkpoint-list"}


def limit_of(request: Any) -> int:
    """How many bytes the uploads of a request may have."""
    route = request.resolver_match.view_name if request.resolver_match else ""
    large = route in CHECKPOINT_ROUTES and request.user.is_authenticated
    return settings.CHECKPOINT_LIMIT_BYTES if large else settings.UPLOAD_LIMIT_BYTES


class LimitUploads(FileUploadHandler):
    """Passes over the files of a request once they have more than UPLOAD_LIMIT_BYTES together.

    Checkpoints may have CHECKPOINT_LIMIT_BYTES, from somebody who is signed in. The limit is left at
    `request.upload_limit`.

    The names of what was passed over are left at `request.refused_uploads`, by field; forms and endpoints say so. The
    body is still read to its end, since a browser shows no answer to a request that it could not send.
    """

    def handle_raw_input(self, input_data: Any, META: Any, content_length: int, *args: Any, **kwargs: Any) -> None:  # noqa: N803
        self.request.refused_uploads = {}
        self.request.upload_limit = limit_of(self.request)
        self.received = 0
        # what stands around the files is small: a body that is much larger than the limit holds a file that is too
        self.too_large = content_length > self.request.upload_limit + settings.DATA_UPLOAD_MAX_MEMORY_SIZE

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        if self.too_large:
            self._refuse()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.received += len(raw_data)
        if self.received > self.request.upload_limit:
            self._refuse()
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None

    def _refuse(self) -> None:
        self.request.refused_uploads[self.field_name] = self.file_name
        raise SkipFile
