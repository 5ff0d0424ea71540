from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from foundation.errors import UserError
from modelserving.actions.start_transfer import start_transfer
from modelserving.forms import TransferForm


@require_http_methods(["GET", "HEAD", "POST"])
def transfer_new(request: HttpRequest, study: str) -> HttpResponse:
    """Run a model on the study's texts."""
    form = TransferForm(request.POST or None, study=request.study)
    if form.is_bound and form.is_valid():
        try:
            run = start_transfer(study=request.study, by=request.user, **form.cleaned_data)
            return redirect("job", study=request.study.slug, job=run.job_id)
        except UserError as error:
            form.add_error(None, str(error))
    status = 422 if form.is_bound else 200
    return render(request, "modelserving/new.html", {"form": form}, status=status)
