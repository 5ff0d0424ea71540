from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from foundation.errors import UserError
from modelserving.actions.start_transfer import start_transfer
from modelserving.forms import TransferForm


@require_http_methods(["GET", "HEAD", "POST"])
def transfer_new(request: Any, study: str) -> HttpResponse:
    """Run a model on the study's texts."""
    form = TransferForm(request.POST if request.method == "POST" else None, study=request.study)
    if form.is_bound and form.is_valid():
        try:
            run = start_transfer(study=request.study, by=request.user, **form.cleaned_data)
            return redirect("job", study=request.study.slug, job=run.job_id)
        except UserError as error:
            form.add_error(None, str(error))
    status = 422 if form.is_bound else 200
    crumbs = [{"url": reverse("study_systems", args=[study]), "label": _("Systems")}]
    return render(request, "modelserving/new.html", {"form": form, "crumbs": crumbs}, status=status)
