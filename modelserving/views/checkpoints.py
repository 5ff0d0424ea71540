"""A checkpoint: its facts, its file out and in, and away with it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.permissions import Can
from corpora.views.trash import tell_removed
from foundation.errors import UserError
from modelserving.actions.import_checkpoint import import_checkpoint
from modelserving.actions.remove_checkpoint import remove_checkpoint
from modelserving.artifacts import checkpoint_download
from modelserving.forms.transfer_runs import ImportForm
from modelserving.models import Checkpoint
from modelserving.presenters.checkpoint_facts import facts_of


@require_safe
def checkpoint(request: Any, study: str, checkpoint: int) -> HttpResponse:
    """What a checkpoint says of itself, and what can be done with it."""
    one = _of(request, checkpoint)
    runs = one.transfer_runs.select_related("job", "system", "direction").order_by("-pk")[:20]
    context = {
        "checkpoint": one, "facts": facts_of(one), "runs": runs, "crumbs": _crumbs(study, one),
        "may_run": request.study.can(request.user, Can.RUN_MODELS),
    }  # fmt: skip
    return render(request, "modelserving/checkpoint.html", context)


@require_safe
def checkpoint_file(request: Any, study: str, checkpoint: int) -> StreamingHttpResponse:
    """The file."""
    return checkpoint_download(_of(request, checkpoint))


@require_POST
def checkpoint_remove(request: Any, study: str, checkpoint: int) -> HttpResponse:
    one = _of(request, checkpoint)
    try:
        tell_removed(request, remove_checkpoint(checkpoint=one, by=request.user))
    except UserError as error:
        messages.error(request, str(error))
        return redirect("checkpoint", study=study, checkpoint=checkpoint)
    return redirect("study_models", study=study)


@require_http_methods(["GET", "HEAD", "POST"])
def checkpoint_import(request: Any, study: str) -> HttpResponse:
    """Take a checkpoint of elsewhere into the study; what is wrong with a file stands beside it."""
    form = ImportForm(request=request)
    if form.is_bound and form.is_valid():
        try:
            made = import_checkpoint(study=request.study, by=request.user, **form.cleaned_data)
            messages.success(request, _("%(checkpoint)s is in.") % {"checkpoint": made.name})
            return redirect("checkpoint", study=study, checkpoint=made.pk)
        except UserError as error:
            form.tell(error, "file")
    context = {"form": form, "crumbs": _crumbs(study)}
    return render(request, "modelserving/import.html", context, status=422 if form.errors else 200)


def _of(request: Any, pk: int) -> Checkpoint:
    return get_object_or_404(request.study.checkpoints.select_related("run", "made_by"), pk=pk)


def _crumbs(study: str, one: Checkpoint | None = None) -> list[dict[str, str]]:
    crumbs = [{"url": reverse("study_models", args=[study]), "label": _("Models")}]
    if one and one.run:
        crumbs.append({"url": reverse("training", args=[study, one.run_id]), "label": one.run.name})
    return crumbs
