"""The header: the studies to switch between, the pages of the study at hand, and the person's menu.

A page is listed only for those whom its row in `accounts/permissions/routes.py` lets in.
"""

from functools import cache
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.permissions import SITE, Can, may
from accounts.permissions.routes import ROUTES, ByMethod
from annotation.blinding import browser_handle
from corpora.members import only_annotates
from corpora.models import Study
from demo.tour import tour_bar
from foundation.project import version

# The navigation of a study: sections in the order of a study's work, each with its pages.
#
# A page belongs to the entry whose address begins its own, the longest that does. A section is listed for those who may
# open one of its pages, and leads to the first of them.


class Section(NamedTuple):
    label: str
    pages: tuple[tuple[str, str], ...]


SECTIONS = (
    Section(gettext_noop("Overview"), (("study", gettext_noop("Overview")),)),
    Section(gettext_noop("Texts"), (
        ("study_texts", gettext_noop("Sources")),
        ("study_documents", gettext_noop("Documents")),
        ("study_questions", gettext_noop("Questions")),
        ("study_flags", gettext_noop("Flags")),
        ("study_sections", gettext_noop("Sections")),
        ("study_groups", gettext_noop("Groups")),
        ("study_concepts", gettext_noop("Concepts")),
        ("sources_select", gettext_noop("Select sources")),
        ("study_splits", gettext_noop("Splits")),
    )),
    Section(gettext_noop("People's work"), (
        ("study_campaigns", gettext_noop("Campaigns")),
        ("study_human", gettext_noop("Human studies")),
        ("study_reviews", gettext_noop("Reviews")),
        ("study_scales", gettext_noop("Scales")),
        ("study_answers", gettext_noop("Answers")),
    )),
    Section(gettext_noop("Models"), (
        ("study_models", gettext_noop("Models")),
        ("study_systems", gettext_noop("Systems")),
        ("runs_compare", gettext_noop("Compare runs")),
    )),
    Section(gettext_noop("Report"), (
        ("study_report", gettext_noop("Leaderboard")),
        ("study_trust", gettext_noop("Which metric to trust")),
        ("study_tables", gettext_noop("Tables and figures")),
        ("study_compare", gettext_noop("Compare systems")),
        ("study_raters", gettext_noop("Raters")),
        ("study_ratings", gettext_noop("Judgements")),
    )),
    Section(gettext_noop("Gold"), (
        ("study_gold", gettext_noop("Gold")),
        ("study_publish", gettext_noop("Publish")),
    )),
    Section(gettext_noop("Settings"), (
        ("study_edit", gettext_noop("General")),
        ("study_members", gettext_noop("Members")),
        ("study_jobs", gettext_noop("Jobs")),
        ("study_public_links", gettext_noop("Public pages")),
        ("study_webhooks", gettext_noop("Webhooks")),
        ("study_removed", gettext_noop("Removed")),
        ("study_trail", gettext_noop("Audit log")),
    )),
)  # fmt: skip


def study_nav(path: str, person: Any, study: Study) -> dict[str, Any]:
    """The sections that `person` may open, and the pages of the section that `path` lies in.

    `sections` and `pages` are lists of `{url, label, current}`; `section` is the label of the current section. A
    section of which only one page may be opened carries that page's name and has no `pages`.
    """
    listed = [(section, _pages(section, person, study)) for section in SECTIONS]
    listed = [(section, pages) for section, pages in listed if pages]
    here = _longest([page["url"] for _section, pages in listed for page in pages], path)
    sections, inner, name = [], [], ""
    for section, pages in listed:
        current = any(page["url"] == here for page in pages)
        label = _(section.label) if len(pages) > 1 else pages[0]["label"]
        sections.append({"label": label, "url": pages[0]["url"], "current": current})
        if current:
            name = label
            inner = [{**page, "current": page["url"] == here} for page in pages]
    return {"sections": sections, "section": name, "pages": inner if len(inner) > 1 else []}


def shown(name: str, person: Any, study: Study | None) -> bool:
    """Whether the row of the route lets `person` in."""
    row = ROUTES.get(name)
    if row is None:
        return False
    needed = row.read if isinstance(row, ByMethod) else row
    return may(person, needed, None if needed in SITE else study) if isinstance(needed, Can) else True


def _pages(section: Section, person: Any, study: Study) -> list[dict[str, str]]:
    return [
        {"label": _(label), "url": reverse(name, args=[study.slug])}
        for name, label in section.pages
        if shown(name, person, study)
    ]


def _longest(urls: list[str], path: str) -> str:
    return max((url for url in urls if path.startswith(url)), key=len, default="")


PERSON_PAGES = [
    ("home", gettext_noop("Studies")),
    ("my_work", gettext_noop("My work")),
    ("people", gettext_noop("People")),
    ("trail", gettext_noop("Audit log")),
    ("health", gettext_noop("Health")),
    ("site_webhooks", gettext_noop("Webhooks")),
    ("tokens", gettext_noop("API tokens")),
    ("api_page", gettext_noop("API")),
    ("account_settings", gettext_noop("Your account")),
]
MOST_STUDIES = 20


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Context processor; all parts are made once, and lazily, so that a fragment for htmx does not ask the database."""
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
        "palette_url": cache(lambda: _palette_url(person, study)),
        "tour_bar": tour_bar(request) if "tour" in request.GET else None,
        "study": study,
        "browser_person": browser_handle(person.pk),
        "restyle_version": version(),
    }


def _palette_url(person: Any, study: Study | None) -> str:
    """Where the command palette asks; "" for people who only annotate, who have one page."""
    if only_annotates(person):
        return ""
    return reverse("palette") + (f"?study={study.slug}" if study else "")


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
