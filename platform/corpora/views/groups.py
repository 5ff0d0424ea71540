"""The pages where sections get their elements, and where documents are linked, grouped and drawn."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.permissions import Can
from accounts.telling import go_on, telling
from corpora.actions.add_linked_references import add_linked_references
from corpora.actions.link_documents import link_documents
from corpora.actions.make_groups import make_groups
from corpora.actions.map_sections import map_sections
from corpora.actions.sample_groups import sample_groups
from corpora.actions.suggest_elements import suggest_elements
from corpora.documents import USUAL_ELEMENTS, bars, sections_of
from corpora.forms.documents import LinkedReferencesForm, SampleForm
from corpora.forms.studies import PairForm
from corpora.models import Study

A_PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
def study_sections(request: Any, study: str) -> HttpResponse:
    """The section titles with the element that each stands for."""
    if request.method == "POST":
        with telling(request):
            if "suggest" in request.POST:
                count = suggest_elements(study=request.study, by=request.user)
                messages.success(request, _("%(n)s sections got their usual element.") % {"n": count})
            else:
                columns = [request.POST.getlist(name) for name in ("style", "section", "element")]
                map_sections(study=request.study, rows=list(zip(*columns, strict=False)), by=request.user)
                messages.success(request, _("The mapping is saved."))
        return redirect("study_sections", study=study)
    used = request.study.section_elements.values_list("element", flat=True).distinct().order_by("element")
    context = {"sections": sections_of(request.study), "elements": sorted({*used, *USUAL_ELEMENTS})}
    return render(request, "corpora/sections.html", context)


@require_safe
def study_groups(request: Any, study: str) -> HttpResponse:
    """The links and groups, with the forms that make them."""
    return _groups_page(request)


@require_POST
def documents_link(request: Any, study: str) -> HttpResponse:
    form = PairForm(request.POST, study=request.study)
    if form.is_valid():
        with telling(form):
            found = link_documents(study=request.study, by=request.user, **form.cleaned_data)
            said = _("%(linked)s links made; %(unlinked)s documents fit no other, %(ambiguous)s fit several.")
            return go_on(request, said % vars(found), "study_groups", study)
    return _groups_page(request, link_form=form)


@require_POST
def linked_references(request: Any, study: str) -> HttpResponse:
    form = LinkedReferencesForm(request.POST, study=request.study)
    if form.is_valid():
        with telling(form):
            made = add_linked_references(by=request.user, **form.cleaned_data)
            said = _("%(n)s documents have their linked one as reference.")
            return go_on(request, said % {"n": f"{made.references.exclude(text='').count():,}"}, "study_groups", study)
    return _groups_page(request, references_form=form)


@require_POST
def groups_make(request: Any, study: str) -> HttpResponse:
    made = make_groups(study=request.study, by=request.user)
    said = _("%(made)s groups made, %(stayed)s unchanged; %(links_without)s links have no group.")
    return go_on(request, said % vars(made), "study_groups", study)


@require_POST
def groups_sample(request: Any, study: str) -> HttpResponse:
    form = SampleForm(request.POST)
    if form.is_valid():
        with telling(form):
            count = sample_groups(study=request.study, by=request.user, **form.cleaned_data)
            said = _("%(n)s groups are sampled for annotation.")
            return go_on(request, said % {"n": f"{count:,}"}, "study_groups", study)
    return _groups_page(request, sample_form=form)


def _groups_page(
    request: Any, link_form: Any = None, sample_form: Any = None, references_form: Any = None
) -> HttpResponse:
    told = link_form or sample_form or references_form
    rows = request.study.groups.select_related("link__source", "link__target").order_by("number")
    sampled = request.GET.get("sampled")
    page = Paginator(rows.filter(sampled=True) if sampled else rows, A_PAGE).get_page(request.GET.get("page"))
    by_element: dict[str, int] = {}
    for element in request.study.groups.values_list("element", flat=True):
        by_element[element] = by_element.get(element, 0) + 1
    named = sorted(by_element.items(), key=lambda row: (-row[1], row[0]))
    context = {
        "page": page, "sampled": sampled, "bars": bars((name or _("Whole documents"), n) for name, n in named),
        "may_edit": request.study.can(request.user, Can.EDIT_STUDY),
        "link_form": link_form or PairForm(study=request.study), "sample_form": sample_form or SampleForm(),
        "of_documents": request.study.unit == Study.Unit.DOCUMENT,
        "references_form": references_form or LinkedReferencesForm(study=request.study),
        "counts": {"links": request.study.document_links.count(), "groups": rows.count(),
                   "sampled": rows.filter(sampled=True).count()},
    }  # fmt: skip
    return render(request, "corpora/groups.html", context, status=422 if told else 200)
