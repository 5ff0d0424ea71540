"""The page of a study's linked concepts, and the form that links them."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from accounts.permissions import Can
from accounts.telling import form_page, telling
from corpora.actions.link_concepts import link_concepts
from corpora.concepts import linked_of
from corpora.documents import bars
from corpora.forms.documents import ConceptsForm
from corpora.knowledge.concepts import about


@require_safe
def study_concepts(request: Any, study: str) -> HttpResponse:
    """The linker, the number of sentences that are linked, and the concepts mentioned most."""
    return _page(request, ConceptsForm())


@require_POST
def concepts_link(request: Any, study: str) -> HttpResponse:
    form = ConceptsForm(request.POST)
    if form.is_valid():
        with telling(form):
            job = link_concepts(study=request.study, by=request.user, **form.cleaned_data)
            return redirect("job", study=study, job=job.pk)
    return _page(request, form)


def _page(request: Any, form: ConceptsForm) -> HttpResponse:
    at_hand = None
    with telling() as told:
        at_hand = about()
    found = linked_of(request.study)
    context = {
        "at_hand": at_hand, "broken": told.error, "found": found,
        "bars": bars((name, count) for _, name, count in found.frequent),
        "may_edit": request.study.can(request.user, Can.EDIT_STUDY),
    }  # fmt: skip
    return form_page(request, "corpora/concepts.html", form, **context)
