"""Making and changing a study. Authorization sets `request.study`."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.telling import form_page, go_on, telling
from corpora.actions.accept_terms import accept_terms
from corpora.actions.create_study import create_study
from corpora.actions.create_study_from_table import create_study_from_table
from corpora.actions.edit_study import edit_study
from corpora.forms.studies import SECTIONS, EditStudyForm, NewStudyForm, StudySectionForm
from corpora.models import Study
from corpora.studies import ends_taken


@require_http_methods(["GET", "HEAD", "POST"])
def study_new(request: HttpRequest) -> HttpResponse:
    """A new study, empty or with a table whose columns are confirmed next."""
    form = NewStudyForm(request=request)
    if form.is_valid():
        given = form.cleaned_data
        given["slug"] = given["slug"] or free_slug(given["title"])
        file = given.pop("file")
        with telling(form, "file" if file else None):
            return _created(request, file, given)
    return form_page(request, "corpora/study_new.html", form)


def _created(request: HttpRequest, file: Any, given: dict[str, Any]) -> HttpResponse:
    """The new study, or where a table came with it the page that confirms its columns."""
    if file is None:
        study = create_study(**given, by=request.user)
        messages.success(request, _("The study is created. Add its texts next."))
        _tell_ends(request, study)
        return redirect("study", study=study.slug)
    upload = create_study_from_table(**given, file=file, by=request.user)
    _tell_ends(request, upload.study)
    return redirect("table", study=upload.study.slug, upload=upload.pk)


def _tell_ends(request: HttpRequest, study: Study) -> None:
    if said := ends_taken(study):
        messages.info(request, said)


@require_http_methods(["GET", "HEAD", "POST"])
def study_edit(request: Any, study: str) -> HttpResponse:
    """The settings of a study in groups, each saved by itself; a page of before sends all of them at once."""
    section, saved = request.POST.get("section", ""), ""
    if request.method == "POST" and not section:
        return _edit_at_once(request, study)
    sections = {name: StudySectionForm(study=request.study, section=name) for name in SECTIONS}
    if section in sections:
        sections[section] = form = StudySectionForm(request.POST, study=request.study, section=section)
        if form.is_valid():
            with telling(form):
                edit_study(study=request.study, **form.changes())
                saved = section
        if saved and not request.htmx:
            messages.success(request, _("The study is changed."))
            return redirect(reverse("study_edit", args=[study]) + f"#{section}")
        if saved:
            sections[section] = StudySectionForm(study=request.study, section=section)
    wrong = any(form.errors for form in sections.values())
    context = {"sections": sections, "saved": saved}
    return render(request, "corpora/study_edit.html", context, status=422 if wrong else 200)


def _edit_at_once(request: Any, study: str) -> HttpResponse:
    form = EditStudyForm(request.POST)
    if form.is_valid():
        with telling(form):
            edit_study(study=request.study, **form.cleaned_data)
            return go_on(request, _("The study is changed."), "study", study)
    return form_page(request, "corpora/study_edit.html", form)


@require_http_methods(["GET", "HEAD", "POST"])
def study_terms(request: Any, study: str) -> HttpResponse:
    """The page of the bars between a person and the texts: terms to accept, credentials that they lack."""
    found, told = request.study, telling()
    if request.method == "POST":
        with told:
            accept_terms(study=found, person=request.user, version=_version(request.POST))
            return redirect(_onward(request, study))
    context = {"bar": found.bars(request.user), "error": told.error or "", "next": request.GET.get("next", "")}
    return render(request, "corpora/terms.html", context, status=422 if told.error else 200)


def _version(form: Any) -> int:
    given = form.get("version", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 6 else -1


def _onward(request: Any, study: str) -> str:
    """The page that was asked for, if it is one of this site."""
    wanted = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(wanted, allowed_hosts=None, require_https=False)
    return wanted if wanted.startswith("/") and safe else reverse("study", args=[study])


def free_slug(title: str) -> str:
    """A short name from a title that no study has."""
    base = slugify(title)[:70].strip("-").replace("_", "-") or "study"
    taken = {*Study.objects.filter(slug__startswith=base).values_list("slug", flat=True), "new", "apply"}
    number, slug = 2, base
    while slug in taken:
        number, slug = number + 1, f"{base}-{number}"
    return slug
