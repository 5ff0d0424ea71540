"""The command palette: any page of the site by name."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.pages.home import LONGEST_QUERY
from config.pages.navigation import PERSON_PAGES, SECTIONS, shown
from corpora.members import only_annotates
from corpora.models import Study
from studies.palette import entries_for

PAGES = [page for section in SECTIONS for page in section.pages], PERSON_PAGES


@require_safe
def palette(request: Any) -> HttpResponse:
    """Pages and things to do whose name has all words of `q`; `study` is the one that the person is in.

    The palette's script asks for the list alone; without scripts it is a page with a search.
    """
    query = request.GET.get("q", "").strip()[:LONGEST_QUERY].replace("\0", "")
    person = request.user
    annotates = only_annotates(person)
    there = [] if annotates else list(Study.objects.of(person).with_role_of(person).order_by("archived_at", "pk"))
    here = next((study for study in there if study.slug == request.GET.get("study")), None)
    pages = PAGES if not annotates else ([], [page for page in PERSON_PAGES if page[0] != "home"])
    context = {"query": query, "here": here, "entries": entries_for(person, there, here, query, pages, shown)}
    return render(request, "parts/palette_list.html" if request.htmx else "config/palette.html", context)
