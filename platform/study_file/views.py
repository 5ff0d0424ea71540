"""The page that takes a study file."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from foundation.errors import UserError
from study_file.forms import StudyFileForm
from study_file.uploads import apply_uploads


@require_http_methods(["GET", "HEAD", "POST"])
def study_apply(request: HttpRequest) -> HttpResponse:
    """Set up a study from a study file and the files that it names, all uploaded."""
    form = StudyFileForm(request=request)
    if form.is_bound and form.is_valid():
        try:
            made, added = apply_uploads(**form.cleaned_data, by=request.user)
        except UserError as error:
            form.tell(error, "study")
        else:
            said = _("Added: %(parts)s.") % {"parts": ", ".join(added)} if added else _("There was nothing to change.")
            messages.success(request, said)
            return redirect("study", study=made.slug)
    return render(request, "corpora/study_apply.html", {"form": form}, status=422 if form.errors else 200)
