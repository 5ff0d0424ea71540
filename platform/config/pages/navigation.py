"""What the header shows: the studies to switch between, the pages of the study at hand, and the person's menu.

A page is listed only for those whom its row in `accounts/permissions/routes/` lets in.
"""

from functools import cache
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.permissions import SITE, Can, may
from accounts.permissions.routes import ROUTES
from corpora.models import Study
from foundation.project import version

STUDY_PAGES = [
    ("study", gettext_noop("Overview")),
    ("study_texts", gettext_noop("Texts")),
    ("study_systems", gettext_noop("Systems")),
    ("study_models", gettext_noop("Models")),
    ("study_campaigns", gettext_noop("Campaigns")),
    ("study_human", gettext_noop("Human studies")),
    ("study_jobs", gettext_noop("Jobs")),
    ("study_report", gettext_noop("Report")),
    ("study_gold", gettext_noop("Gold")),
    ("study_members", gettext_noop("Members")),
    ("study_trail", gettext_noop("Trail")),
]
PERSON_PAGES = [
    ("home", gettext_noop("Studies")),
    ("my_work", gettext_noop("My work")),
    ("people", gettext_noop("People")),
    ("trail", gettext_noop("Audit log")),
    ("health", gettext_noop("Health")),
    ("tokens", gettext_noop("API tokens")),
    ("api_page", gettext_noop("API")),
    ("account_settings", gettext_noop("Your account")),
]
MOST_STUDIES = 20


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Context processor; all parts are lazy, so that a fragment for htmx asks the database nothing, and made once."""
    person = getattr(request, "user", None)
    if person is None or not person.is_authenticated:
        return {}
    study = getattr(request, "study", None)
    return {
        "person_menu": cache(lambda: _person_menu(person)),
        "study_nav": cache(lambda: _study_nav(request, person, study) if study else []),
        "study_switch": cache(lambda: _switch(person, study) if study else []),
        "study": study,
        "restyle_version": version(),
    }


def _person_menu(person: Any) -> list[dict[str, Any]]:
    return [_entry(name, label) for name, label in PERSON_PAGES if _shown(name, person, None)]


def _study_nav(request: Any, person: Any, study: Study) -> list[dict[str, Any]]:
    here = request.path
    entries = [_entry(name, label, study) for name, label in STUDY_PAGES if _shown(name, person, study)]
    best = max((entry["url"] for entry in entries if here.startswith(entry["url"])), key=len, default="")
    return [{**entry, "current": entry["url"] == best} for entry in entries]


def _switch(person: Any, study: Study) -> list[dict[str, Any]]:
    others = Study.objects.of(person).active().only("slug", "title")[:MOST_STUDIES]
    return [{"label": one.title, "url": reverse("study", args=[one.slug]), "current": one == study} for one in others]


def _entry(name: str, label: str, study: Study | None = None) -> dict[str, Any]:
    return {"label": _(label), "url": reverse(name, args=[study.slug] if study else [])}


def _shown(name: str, person: Any, study: Study | None) -> bool:
    row = ROUTES.get(name)
    if row is None:
        return False
    return may(person, row, None if row in SITE else study) if isinstance(row, Can) else True
