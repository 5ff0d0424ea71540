"""The pages of a study's texts, side by side."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.permissions import may
from accounts.permissions.routes import ROUTES

TABS = [
    ("study_texts", gettext_noop("Sources")),
    ("study_documents", gettext_noop("Documents")),
    ("study_questions", gettext_noop("Questions")),
    ("study_flags", gettext_noop("Flags")),
    ("study_sections", gettext_noop("Sections")),
    ("study_groups", gettext_noop("Groups")),
    ("study_concepts", gettext_noop("Concepts")),
    ("sources_select", gettext_noop("Select sources")),
    ("study_splits", gettext_noop("Splits")),
]


def shown(request: Any, template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """The page with its tabs: those that the person may open."""
    return render(request, template, {**context, "tabs": tabs(request)}, status=status)


def tabs(request: Any) -> list[dict[str, Any]]:
    here = request.resolver_match.url_name
    return [
        {"url": reverse(name, args=[request.study.slug]), "label": _(label), "current": name == here}
        for name, label in TABS
        if may(request.user, ROUTES[name], request.study)
    ]
