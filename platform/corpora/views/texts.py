"""The page of a study's texts, and the forms that add to them. The gate leaves the study at `request.study`."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.permissions import Can
from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.remove_references import remove_references
from corpora.forms import DirectionForm, ReferencesForm, SourcesForm
from corpora.models import Direction, ReferenceSet
from corpora.reading import directions_of, with_texts
from corpora.uploads import sources_in, text_file, texts_for
from corpora.views._tabs import shown
from corpora.views.removing import tell_removed
from foundation.errors import UserError

A_PAGE = 20


@require_safe
def study_texts(request: Any, study: str) -> HttpResponse:
    """The directions with their counts, and the sentences of one with their references and outputs."""
    directions = directions_of(request.study)
    asked = request.GET.get("direction")
    direction = next((one for one in directions if str(one.number) == asked), directions[0] if directions else None)
    context = {
        "directions": directions, "direction": direction,
        "may_edit": request.study.can(request.user, Can.EDIT_STUDY),
    }  # fmt: skip
    if direction:
        page = Paginator(direction.sentences.order_by("number"), A_PAGE).get_page(request.GET.get("page"))
        page.object_list = with_texts(page.object_list)
        context |= {"page": page, "sets": direction.reference_sets.order_by("number")}
    return shown(request, "corpora/texts.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def direction_new(request: Any, study: str) -> HttpResponse:
    """A direction of transfer; its sources come next."""
    form = DirectionForm(request.POST or None, study=request.study)
    if form.is_bound and form.is_valid():
        try:
            direction = add_direction(study=request.study, **form.cleaned_data)
        except UserError as error:
            form.tell(error)
        else:
            return redirect("sources_new", study=study, direction=direction.number)
    return render(request, "corpora/direction_new.html", {"form": form}, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def sources_new(request: Any, study: str, direction: int) -> HttpResponse:
    """Source sentences, uploaded or pasted, a line each."""
    to = _direction(request, direction)
    form = SourcesForm(request=request)
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        try:
            file = text_file(given["file"], form.pasted_text(), encoding=given["encoding"])
            added = add_sources(direction=to, texts=sources_in(file), split=given["split"], domain=given["domain"])
        except UserError as error:
            form.tell(error, "file" if given["file"] else "pasted")
        else:
            messages.success(request, _("%(count)s sources are in.") % {"count": f"{added.count:,}"})
            if added.said:
                messages.warning(request, added.said)
            return _to_texts(to)
    context = {"form": form, "direction": to}
    return render(request, "corpora/sources_new.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def references_new(request: Any, study: str, direction: int) -> HttpResponse:
    """A set of references from a file, line by line or joined on the source."""
    to = _direction(request, direction)
    form = ReferencesForm(request=request)
    if form.is_bound and form.is_valid():
        given, layout = form.cleaned_data, form.layout()
        try:
            texts = texts_for(to, text_file(given["file"], encoding=layout.encoding), layout, missing=given["missing"])
            marks = "brackets" if given["brackets"] else ""
            add_references(direction=to, texts=texts, origin=given["file"].name, marks=marks)
        except UserError as error:
            form.tell(error, "file")
        else:
            count = sum(text is not None for text in texts)
            messages.success(request, _("%(count)s references are in.") % {"count": f"{count:,}"})
            return _to_texts(to)
    context = {"form": form, "direction": to, "count": to.sentences.count()}
    return render(request, "corpora/references_new.html", context, status=422 if form.errors else 200)


@require_POST
def references_remove(request: Any, study: str, references: int) -> HttpResponse:
    there = get_object_or_404(ReferenceSet, pk=references, direction__study=request.study)
    try:
        tell_removed(request, remove_references(references=there, by=request.user))
    except UserError as error:
        messages.error(request, str(error))
    return _to_texts(there.direction)


def _direction(request: Any, number: int) -> Direction:
    return get_object_or_404(request.study.directions.select_related("study"), number=number)


def _to_texts(direction: Direction) -> HttpResponse:
    response = redirect("study_texts", study=direction.study.slug)
    response["Location"] += f"?direction={direction.number}"
    return response
