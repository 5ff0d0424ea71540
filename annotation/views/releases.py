"""The pages of gold releases. Authorization sets `request.study`."""

from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.actions.start_release import start_release
from annotation.campaigns.requested import release_or_404
from annotation.forms.gold import ReleaseForm
from annotation.gold.release.downloads import release_download
from annotation.presenters.markdown import html_of
from foundation.errors import UserError


@require_http_methods(["GET", "HEAD", "POST"])
def release_new(request: Any, study: str) -> HttpResponse:
    """Ask for a release; a job makes it."""
    form = ReleaseForm(request.POST if request.method == "POST" else None, study=request.study)
    if form.is_bound and form.is_valid():
        try:
            run = start_release(study=request.study, by=request.user, **form.asked())
            return redirect("job", study=study, job=run.job_id)
        except UserError as error:
            form.add_error(None, str(error))
    status = 422 if form.is_bound else 200
    return render(request, "annotation/release_new.html", {"form": form, "crumbs": _crumbs(study)}, status=status)


@require_safe
def release(request: Any, study: str, number: int) -> HttpResponse:
    """A release: its files with their checksums, its datasheet, its guidelines."""
    shown_release = release_or_404(request, number)
    context = {
        "release": shown_release,
        "datasheet": html_of(shown_release.datasheet),
        "guidelines": [{**guideline, "html": html_of(guideline["text"])} for guideline in shown_release.guidelines],
        "crumbs": _crumbs(study),
    }
    return render(request, "annotation/release.html", context)


@require_safe
def release_file(request: Any, study: str, number: int, name: str) -> StreamingHttpResponse:
    """A file of a release, checked as it leaves."""
    shown_release = release_or_404(request, number)
    return release_download(shown_release, get_object_or_404(shown_release.files, name=name))


def _crumbs(study: str) -> list[dict[str, Any]]:
    return [{"url": reverse("study_gold", args=[study]), "label": _("Gold")}]
