"""Removing texts, what was removed, and putting it back. Authorization sets `request.study`."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from corpora.actions.remove_direction import remove_direction
from corpora.actions.remove_document import remove_document
from corpora.actions.remove_sources import remove_sources
from corpora.actions.undo_removal import undo_removal
from corpora.models import Removal
from corpora.texts.number_ranges import parse_ranges
from corpora.trash import removals_of, studies_removed_by
from foundation.errors import UserError


def tell_removed(request: HttpRequest, removal: Removal) -> None:
    """Say on the next page what was removed, with a button that puts it back."""
    said = _("Removed: %(name)s. It can be put back for 30 days.") % {"name": removal.name}
    messages.success(request, said, extra_tags=undo_address(removal))


def undo_address(removal: Removal) -> str:
    if removal.study_id is None:
        return reverse("study_undo", args=[removal.pk])
    return reverse("removal_undo", args=[removal.study_slug, removal.pk])


@require_safe
def study_removed(request: Any, study: str) -> HttpResponse:
    """What was removed from the study and can be put back."""
    return render(request, "corpora/removed.html", {"removals": removals_of(request.study), "now": timezone.now()})


@require_POST
def removal_undo(request: Any, study: str, removal: int) -> HttpResponse:
    """Put it back."""
    found = request.study.removals.filter(pk=removal).first()
    _undo(request, found)
    return redirect("study_removed", study=study)


@require_safe
def removed_studies(request: Any) -> HttpResponse:
    """The studies that the person deleted and can have back; an admin sees all."""
    return render(request, "corpora/removed_studies.html", {"removals": studies_removed_by(request.user)})


@require_POST
def study_undo(request: Any, removal: int) -> HttpResponse:
    """Put a deleted study back."""
    found = studies_removed_by(request.user).filter(pk=removal).first()
    study = _undo(request, found)
    return redirect("study", study=study.slug) if study else redirect("removed_studies")


def _undo(request: Any, removal: Removal | None) -> Any:
    if removal is None:
        messages.error(request, _("It was put back already, or is gone for good."))
        return None
    try:
        study = undo_removal(removal=removal, by=request.user)
    except UserError as error:
        messages.error(request, str(error))
        return None
    messages.success(request, _("It is back: %(name)s.") % {"name": removal.name})
    return study


@require_POST
def sources_remove(request: Any, study: str, direction: int) -> HttpResponse:
    """Take sources out by their numbers, `3, 7-20`."""
    there = get_object_or_404(request.study.directions.select_related("study"), number=direction)
    try:
        numbers = parse_ranges(request.POST.get("numbers", ""))
        tell_removed(request, remove_sources(direction=there, numbers=numbers, by=request.user))
    except UserError as error:
        messages.error(request, error.sentence)
    response = redirect("study_texts", study=study)
    response["Location"] += f"?direction={direction}"
    return response


@require_POST
def direction_remove(request: Any, study: str, direction: int) -> HttpResponse:
    there = get_object_or_404(request.study.directions.select_related("study"), number=direction)
    try:
        tell_removed(request, remove_direction(direction=there, by=request.user))
    except UserError as error:
        messages.error(request, str(error))
    return redirect("study_texts", study=study)


@require_POST
def document_remove(request: Any, study: str, document: int) -> HttpResponse:
    there = get_object_or_404(request.study.documents, pk=document)
    try:
        tell_removed(request, remove_document(document=there, by=request.user))
    except UserError as error:
        messages.error(request, str(error))
        return redirect("document", study=study, document=document)
    return redirect("study_documents", study=study)
