"""Run a model over the study's sources, or over a file."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from corpora.forms.studies import TellingForm
from corpora.models import Sentence, Study
from foundation.errors import UserError
from foundation.options import options_as_stored
from modelserving.actions.start_transfer import start_file_transfer, start_transfer
from modelserving.artifacts.downloads import result_download
from modelserving.forms.options import OptionsForm
from modelserving.forms.transfer_runs import FileRunForm, RunForm
from modelserving.presenters.cost_estimate import run_estimates
from modelserving.ready_models.candidates import Candidate, serving


@require_http_methods(["GET", "HEAD", "POST"])
def transfer_new(request: Any, study: str) -> HttpResponse:
    """Run a model on the study's texts; its outputs become a system."""
    candidates = serving(request.study)
    if not candidates:
        return _none_serves(request)
    chosen = _chosen(request, candidates)
    posted = request.POST if request.method == "POST" else None
    form = RunForm(posted, study=request.study, candidates=candidates, initial=_begun(request.study, chosen))
    options = decoding_form(chosen, posted)
    if form.is_bound and form.is_valid() and options.fits():
        given = {key: form.cleaned_data[key] for key in ("name", "direction", "split")}
        run = _started(form, options, start_transfer, chosen, study=request.study, by=request.user, **given)
        if run is not None:
            return redirect("job", study=study, job=run.job_id)
    return _page(request, "modelserving/new.html", form, options, chosen)


@require_http_methods(["GET", "HEAD", "POST"])
def transfer_file(request: Any, study: str) -> HttpResponse:
    """Run a model on an uploaded file."""
    candidates = serving(request.study)
    if not candidates:
        return _none_serves(request)
    chosen = _chosen(request, candidates)
    form = FileRunForm(request=request, study=request.study, candidates=candidates, initial={"model": chosen.key})
    options = decoding_form(chosen, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid() and options.fits():
        given = {key: form.cleaned_data[key] for key in ("file", "direction")}
        run = _started(form, options, start_file_transfer, chosen, study=request.study, by=request.user, **given)
        if run is not None:
            messages.success(request, _("The file is queued; the job's page has the result when it is done."))
            return redirect("job", study=study, job=run.job_id)
    return _page(request, "modelserving/new_file.html", form, options, chosen)


@require_safe
def transfer_result(request: Any, study: str, transfer: int) -> StreamingHttpResponse:
    """What a run made of its file."""
    run = get_object_or_404(request.study.transfer_runs, pk=transfer)
    if not run.result:
        raise Http404
    return result_download(run)


def decoding_form(chosen: Candidate, posted: Any = None) -> OptionsForm:
    """How the chosen model rewrites; it begins with what this machine has, as where nobody chooses."""
    usual = options_as_stored(chosen.kind.usual_decoding())
    return OptionsForm(chosen.kind.Decoding, chosen.key, posted, prefix="decoding", begun=usual)


def _chosen(request: Any, candidates: list[Candidate]) -> Candidate:
    """The model that was asked for; the first where none was, or no such."""
    asked = request.POST.get("model") or request.GET.get("model", "")
    return next((one for one in candidates if one.key == asked), candidates[0])


def _refused(request: Any, chosen: Candidate) -> list[str]:
    """Where an address names a model that cannot run here, a sentence; what is posted has its error at the field."""
    asked = request.GET.get("model") or chosen.key
    if request.method == "POST" or asked == chosen.key:
        return []
    return [_("There is no such model that goes in a direction of this study; choose one of these.")]


def _none_serves(request: Any) -> HttpResponse:
    messages.warning(request, _("No model goes in a direction of this study: train one, or import a checkpoint."))
    return redirect("study_models", request.study.slug)


def _begun(study: Study, chosen: Candidate) -> dict[str, str]:
    """With what the form begins: what was trained runs on the test split, under its own name."""
    if chosen.checkpoint is None:
        return {"model": chosen.key}
    tested = Sentence.objects.filter(direction__study=study, split=Sentence.Split.TEST).exists()
    return {"model": chosen.key, "name": chosen.name[:100], "split": Sentence.Split.TEST if tested else ""}


def _started(form: TellingForm, options: OptionsForm, action: Any, chosen: Candidate, **given: Any) -> Any:
    """The run; None where it was refused, which the forms then say."""
    model = {"checkpoint": chosen.checkpoint} if chosen.checkpoint else {"model": chosen.model}
    try:
        return action(**model, settings=options.chosen(), **given)
    except UserError as error:
        (options if error.where in options.fields else form).tell(error)
        return None


def _page(request: Any, template: str, form: TellingForm, options: OptionsForm, chosen: Candidate) -> HttpResponse:
    """The page with its forms; htmx, which asks with another model, gets the options alone."""
    estimate = run_estimates(request.study, chosen) if isinstance(form, RunForm) else None
    shown = {"options": options, "estimate": estimate, "refused": _refused(request, chosen)}
    if request.htmx and request.method == "GET":
        return render(request, "modelserving/_options.html", shown)
    slug = request.study.slug
    route, label = ("study_systems", _("Systems")) if isinstance(form, RunForm) else ("study_models", _("Models"))
    crumbs = [{"url": reverse(route, args=[slug]), "label": label}]
    context = {"form": form, "crumbs": crumbs, **shown}
    wrong = form.is_bound and (form.errors or options.errors)
    return render(request, template, context, status=422 if wrong else 200)
