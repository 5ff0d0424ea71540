"""The page that takes a study file, and a study as a file."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.telling import form_page, telling
from corpora.studies import ends_taken
from study_file.files import study_as_file
from study_file.forms import StudyFileForm
from study_file.uploads import apply_uploads


@require_http_methods(["GET", "HEAD", "POST"])
def study_apply(request: HttpRequest) -> HttpResponse:
    """Set up a study from a study file and the files that it names, all uploaded."""
    form = StudyFileForm(request=request)
    if form.is_valid():
        with telling(form, "study"):
            made, added = apply_uploads(**form.cleaned_data, by=request.user)
            said = _("Added: %(parts)s.") % {"parts": ", ".join(added)} if added else _("The file changes nothing.")
            messages.success(request, said)
            if "study" in added and (ends := ends_taken(made)):
                messages.info(request, ends)
            return redirect("study", study=made.slug)
    return form_page(request, "corpora/study_apply.html", form)


@require_safe
def study_export(request: Any, study: str) -> HttpResponse | StreamingHttpResponse:
    """The study as one file; with `file` one of its tables."""
    file, form = request.GET.get("file", ""), request.GET.get("format", "csv")
    with telling(request, "file"):
        return study_as_file(request.study, request.user, file, form)
    return redirect("study", study=study)
