"""What the header shows: the studies to switch between, the pages of the study at hand, and the person's menu.

A page is listed only for those whom its row in `accounts/permissions/routes/` lets in.
"""

from functools import cache
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from annotation.blinding.handles import browser_handle
from config.pages.study_sections import shown, study_nav
from corpora.members.annotators import only_annotates
from corpora.models import Study
from foundation.project import version

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
        "study_nav": cache(
            lambda: study_nav(request.path, person, study) if study and not only_annotates(person) else None
        ),
        "study_switch": cache(lambda: _switch(person, study) if study and not only_annotates(person) else []),
        "work_nav": cache(lambda: _work_nav(request) if only_annotates(person) else None),
        "study": study,
        "browser_person": browser_handle(person.pk),
        "restyle_version": version(),
    }


def _person_menu(person: Any) -> list[dict[str, Any]]:
    left_out = {"home"} if only_annotates(person) else set()  # it leads them to their work
    return [_entry(name, label) for name, label in PERSON_PAGES if name not in left_out and shown(name, person, None)]


def _work_nav(request: HttpRequest) -> dict[str, Any]:
    """The one page to go back to, for people who only annotate."""
    entry = _entry("my_work", gettext_noop("My work"))
    return {**entry, "current": request.path == entry["url"]}


def _switch(person: Any, study: Study) -> list[dict[str, Any]]:
    others = Study.objects.of(person).active().only("slug", "title")[:MOST_STUDIES]
    return [{"label": one.title, "url": reverse("study", args=[one.slug]), "current": one == study} for one in others]


def _entry(name: str, label: str) -> dict[str, Any]:
    return {"label": _(label), "url": reverse(name)}
