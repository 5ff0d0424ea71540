"""The pages of a study's systems. The gate leaves the study at `request.study`."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.permissions import Can
from corpora.actions.add_system import add_system
from corpora.actions.remove_system import remove_system
from corpora.forms import SystemForm, file_field
from corpora.models import Direction, System
from corpora.reading import systems_of
from corpora.uploads import text_file, texts_for
from corpora.views.removing import tell_removed
from foundation.errors import UserError

A_PAGE = 50


@require_safe
def study_systems(request: Any, study: str) -> HttpResponse:
    """The systems with the number of their outputs."""
    context = {
        "systems": systems_of(request.study).select_related("transfer_run"),
        "may_edit": request.study.can(request.user, Can.EDIT_STUDY),
        "may_run": request.study.can(request.user, Can.RUN_MODELS),
        "has_texts": request.study.directions.filter(sentences__isnull=False).exists(),
    }
    return render(request, "corpora/systems.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def system_new(request: Any, study: str) -> HttpResponse:
    """Upload a system's outputs, for one direction or several."""
    form = SystemForm(request=request, study=request.study)
    if form.is_bound and form.is_valid():
        outputs = _outputs(form)
        if outputs is not None and (system := _added(request, form, outputs)):
            messages.success(request, _("%(system)s is in.") % {"system": system})
            return redirect("system", study=study, system=system.pk)
    return render(request, "corpora/system_new.html", {"form": form}, status=422 if form.errors else 200)


def _outputs(form: SystemForm) -> dict[Direction, list[str | None]] | None:
    """The texts of each direction's file; an error stands at its field."""
    outputs, layout = {}, form.layout()
    for direction in form.directions:
        field = file_field(direction)
        if form.cleaned_data.get(field):
            try:
                file = text_file(form.cleaned_data[field], encoding=layout.encoding)
                outputs[direction] = texts_for(direction, file, layout, missing=form.cleaned_data["missing"])
            except UserError as error:
                form.tell(error, field)
    return None if form.errors else outputs


def _added(request: Any, form: SystemForm, outputs: dict[Direction, list[str | None]]) -> System | None:
    given = form.cleaned_data
    try:
        return add_system(
            study=request.study, name=given["name"], outputs=outputs, is_human=given["human"],
            origin=", ".join(given[file_field(direction)].name for direction in outputs),
            allows_missing=given["missing"], family=given["family"], seed=given["seed"], by=request.user,
        )  # fmt: skip
    except UserError as error:
        form.tell(error)
        return None


@require_safe
def system(request: Any, study: str, system: int) -> HttpResponse:
    """A system and its outputs beside their sources."""
    there = get_object_or_404(systems_of(request.study).select_related("transfer_run"), pk=system)
    outputs = there.outputs.select_related("sentence__direction")
    context = {
        "system": there,
        "page": Paginator(
            outputs.order_by("sentence__direction__number", "sentence__number"), A_PAGE
        ).get_page(request.GET.get("page")),
        "may_edit": request.study.can(request.user, Can.EDIT_STUDY),
    }  # fmt: skip
    return render(request, "corpora/system.html", context)


@require_POST
def system_remove(request: Any, study: str, system: int) -> HttpResponse:
    there = get_object_or_404(System, pk=system, study=request.study)
    try:
        tell_removed(request, remove_system(system=there, by=request.user))
    except UserError as error:
        messages.error(request, str(error))
        return redirect("system", study=study, system=system)
    return redirect("study_systems", study=study)
