"""Authorization: holds every page and endpoint to its row in `accounts/permissions/routes/`.

A study's route names the study in its address as `study`; this middleware fetches it, together with the person's role
in it, and leaves it at `request.study`. Somebody who is no member is told that there is no such study.
"""

from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS, BasePermission

from accounts.api_schema.strict_serializers import check_query
from accounts.audit.events import Kind, log_event, log_event_daily
from accounts.audit.log import set_acting_person
from accounts.authentication import token_scopes
from accounts.models import ApiToken
from accounts.permissions import SITE, Can, Open, Refused, may, require
from accounts.permissions.routes import ROUTES
from accounts.permissions.routes.requirement import ByMethod
from accounts.permissions.routes.special import DRAWN, GIVES_WORK, TAKES_OUT, WHILE_ARCHIVED, WITHOUT_TEXTS
from corpora.actions.lock_study import ARCHIVED
from corpora.models import Study

LONGEST_ASKED = 60  # characters of a query parameter that the trail keeps of a download


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
    """The API's endpoints ask the same row."""

    def has_permission(self, request: Any, view: Any) -> bool:
        row = row_of(request)
        if row is not Open.ANYONE and not request.user.is_authenticated:
            return False
        token_scopes.check_scope(request, view)
        check(request, row, view.kwargs)
        check_query(request, view)
        note_token(request, view.kwargs)
        return True


def sign_in(request: Any) -> HttpResponse:
    """To the sign-in page, and from there back to the page where the person was.

    What htmx asked for would put the sign-in page into a part of the page: it gets 401, and leads the browser on.
    """
    answer = redirect_to_login(_way_back(request))
    if request.htmx:
        return HttpResponse(status=401, headers={"HX-Redirect": answer.url})
    return answer


def _way_back(request: Any) -> str:
    """The page that was asked for; of a form, which has no page of its own, the page where it was filled in."""
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
    """What the row of the request's route asks for; a route without one is closed."""
    name = request.resolver_match.view_name
    if name not in ROUTES:
        raise Closed
    row = ROUTES[name]
    if isinstance(row, ByMethod):
        return row.read if request.method in SAFE_METHODS else row.change
    return row


def check(request: Any, row: Can | Open, kwargs: dict[str, Any]) -> None:
    """Fetch the study that the address names, and raise unless the person may pass. What they do goes by their name."""
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
    """What programs do in somebody's name is seen: by token, study and day."""
    if isinstance(request.auth, ApiToken):
        target = f"token {request.auth.prefix}"
        log_event_daily(request.user, Kind.TOKEN, "use_token", study=kwargs.get("study", ""), target=target)


# `Sec-Fetch-Dest` and `-Mode` of what a page itself asks for, to draw it; of a link that is followed they are others.
# Where no browser says so (plain http, an old or a private one), the page's own addresses do: `?shown=page`.
ASKED_BY_PAGES = frozenset({("empty", "cors"), ("empty", "same-origin"), ("image", "no-cors")})


def note_taken(request: Any, answer: HttpResponse) -> None:
    """Who takes a file out of the site, and which; a file that cannot be noted does not leave."""
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
        super().__init__(_("This address is closed to everybody: Restyle does not use what is behind it."))


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
