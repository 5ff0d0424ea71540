"""The pages that belong to no room."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST, require_safe

from accounts.permissions import Can, may
from accounts.permissions.routes import ROUTES
from accounts.telling import telling
from corpora.members import only_annotates
from corpora.models import Study
from demo.actions.start_demo_reset import start_demo_reset
from demo.tour import tour_of
from studies.home import attention_of, cards_of, search

LONGEST_QUERY = 200
SITE_PAGES = (
    ("all_jobs", gettext_noop("All jobs"), gettext_noop("Jobs of all studies, with the waiting and failed ones.")),
    ("health", gettext_noop("Health"), gettext_noop("Workers, queues, storage, backups and settings.")),
    ("people", gettext_noop("People"), gettext_noop("Accounts, roles, credentials and invitations.")),
    ("trail", gettext_noop("Audit log"), gettext_noop("Record of all actions on the site.")),
)
"""What runs the site, in one place for admins."""


@require_safe
def home(request: Any) -> HttpResponse:
    """The first page: what needs the person, and their studies; on request the archived ones, or hits of a search.

    Somebody who only annotates is led on to their work.
    """
    if only_annotates(request.user):
        return redirect("my_work")
    person, archived = request.user, request.GET.get("archived") == "1"
    query = request.GET.get("q", "").strip()[:LONGEST_QUERY].replace("\0", "")
    there = list(Study.objects.of(person).with_role_of(person))
    shown = [study for study in there if (study.archived_at is not None) == archived]
    context: dict[str, Any] = {
        "archived": archived, "put_aside": len(there) - len(shown), "query": query, "any_study": bool(there),
        "may_create": may(person, Can.CREATE_STUDY), "site_pages": _site_pages(person),
    }  # fmt: skip
    if query:
        context["hits"] = search(person, there, query)
    else:
        context["cards"] = cards_of(person, shown)
        context["attention"] = [] if archived else attention_of(person, shown, request.session)
        context["tour"] = [] if archived else tour_of(person)
        context["may_reset"] = may(person, ROUTES["demo_reset"])
    return render(request, "config/home.html", context)


def _site_pages(person: Any) -> list[tuple[str, str, str]]:
    """The pages of the whole site that the person may open, each with its address and what it shows."""
    return [(_(label), reverse(name), _(about)) for name, label, about in SITE_PAGES if may(person, ROUTES[name])]


@require_POST
def demo_reset(request: Any) -> HttpResponse:
    """Make the demo's studies anew, as a job."""
    with telling(request):
        start_demo_reset(by=request.user)
        messages.success(request, _("The demo is created again, which takes about a minute."))
        return redirect("all_jobs")
    return redirect("home")


@require_safe
def api_page(request: Any) -> HttpResponse:
    """The API's description, drawn from its schema: all requests in a list, and with `?resource=` those of one."""
    from config.api.reference import examples, parts  # the schema asks for the addresses, which ask for this

    found, asked = parts(f"{request.scheme}://{request.get_host()}"), request.GET.get("resource", "")
    part = next((one for one in found if one["name"] == asked), None)
    if asked and part is None:
        raise Http404
    return render(request, "config/api.html", {"parts": found, "part": part, "examples": examples(request)})
