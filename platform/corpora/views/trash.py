"""Removing texts, the list of removals, and undoing them. Authorization sets `request.study`."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.telling import telling
from corpora.actions.remove_direction import remove_direction
from corpora.actions.remove_document import remove_document
from corpora.actions.remove_sources import remove_sources
from corpora.actions.undo_removal import undo_removal
from corpora.models import Removal
from corpora.texts.number_ranges import parse_ranges
from corpora.trash import removals_of, studies_removed_by


def tell_removed(request: HttpRequest, removal: Removal) -> None:
    """Name the removal on the next page, with a button that undoes it."""
    said = _("Removed: %(name)s. You can restore it for 30 days.") % {"name": removal.name}
    messages.success(request, said, extra_tags=undo_address(removal))


def undo_address(removal: Removal) -> str:
    if removal.study_id is None:
        return reverse("study_undo", args=[removal.pk])
    return reverse("removal_undo", args=[removal.study_slug, removal.pk])


@require_safe
def study_removed(request: Any, study: str) -> HttpResponse:
    """The page of the study's removals, which can be put back."""
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
        messages.error(request, _("This was already restored, or is gone for good."))
        return None
    with telling(request):
        study = undo_removal(removal=removal, by=request.user)
        messages.success(request, _("Restored: %(name)s.") % {"name": removal.name})
        return study
    return None


@require_POST
def sources_remove(request: Any, study: str, direction: int) -> HttpResponse:
    """Take sources out by their numbers, `3, 7-20`."""
    there = get_object_or_404(request.study.directions.select_related("study"), number=direction)
    with telling(request, "numbers"):
        numbers = parse_ranges(request.POST.get("numbers", ""))
        tell_removed(request, remove_sources(direction=there, numbers=numbers, by=request.user))
    return redirect(reverse("study_texts", args=[study], query={"direction": direction}))


@require_POST
def direction_remove(request: Any, study: str, direction: int) -> HttpResponse:
    there = get_object_or_404(request.study.directions.select_related("study"), number=direction)
    with telling(request):
        tell_removed(request, remove_direction(direction=there, by=request.user))
    return redirect("study_texts", study=study)


@require_POST
def document_remove(request: Any, study: str, document: int) -> HttpResponse:
    there = get_object_or_404(request.study.documents, pk=document)
    with telling(request):
        tell_removed(request, remove_document(document=there, by=request.user))
        return redirect("study_documents", study=study)
    return redirect("document", study=study, document=document)
