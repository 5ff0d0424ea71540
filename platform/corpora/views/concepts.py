"""The page of a study's linked concepts, and the form that links them."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.permissions import Can
from corpora.actions.link_concepts import link_concepts
from corpora.concepts import linked_of
from corpora.documents import bars
from corpora.forms.documents import ConceptsForm
from corpora.knowledge.concepts import about
from foundation.errors import UserError


@require_safe
def study_concepts(request: Any, study: str) -> HttpResponse:
    """By what concepts are linked, how many sentences are, and which concepts are mentioned most."""
    return _page(request, ConceptsForm())


@require_POST
def concepts_link(request: Any, study: str) -> HttpResponse:
    form = ConceptsForm(request.POST)
    if form.is_valid():
        try:
            job = link_concepts(study=request.study, by=request.user, **form.cleaned_data)
            return redirect("job", study=study, job=job.pk)
        except UserError as error:
            form.tell(error)
    return _page(request, form)


def _page(request: Any, form: ConceptsForm) -> HttpResponse:
    try:
        at_hand, broken = about(), None
    except UserError as error:
        at_hand, broken = None, error
    found = linked_of(request.study)
    context = {
        "form": form, "at_hand": at_hand, "broken": broken, "found": found,
        "bars": bars((name, count) for _, name, count in found.frequent),
        "may_edit": request.study.can(request.user, Can.EDIT_STUDY),
    }  # fmt: skip
    return render(request, "corpora/concepts.html", context, status=422 if form.errors else 200)
