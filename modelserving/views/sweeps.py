"""A sweep: asked for, followed, stopped and resumed, its best repeated, removed."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.permissions import Can
from accounts.telling import telling
from corpora.views.trash import tell_removed
from jobs.models import UNFINISHED
from modelserving.actions.cancel_sweep import cancel_sweep
from modelserving.actions.remove_sweep import remove_sweep
from modelserving.actions.repeat_training import repeat_training
from modelserving.actions.resume_sweep import resume_sweep
from modelserving.actions.start_sweep import start_sweep
from modelserving.forms.options import SilverForm
from modelserving.forms.sweeps import SweepForm, VaryForm
from modelserving.models import Sweep, TrainingRun
from modelserving.presenters import model_kinds
from modelserving.presenters.labels import better_in_words, duration, label_of, precise, shown_value
from modelserving.presenters.parallel_coordinates import parallel_coordinates
from modelserving.training_runs.silver import SilverOptions, silver_in_words
from modelserving.training_runs.sweeps import Repeats, counts_of, ranked, repeats_of, trainings_of
from modelserving.transfer import TRANSFERS


@require_http_methods(["GET", "HEAD", "POST"])
def sweep_new(request: Any, study: str) -> HttpResponse:
    """The form of a sweep. The model is chosen first: the address says it, since each has options of its own."""
    data = request.POST if request.method == "POST" else None
    names = model_kinds.trained()
    groups = model_kinds.groups_of(request.study)
    ready = {kind.name: kind for group in groups for kind in group.kinds if not kind.lacks}
    asked = (data or request.GET).get("model") or model_kinds.usual_kind(request.study, ready)
    context: dict[str, Any] = {"groups": groups, "chosen": asked}
    if asked not in names:
        context["refused"] = [model_kinds.no_such_model(asked)] if asked else []
        return render(request, "modelserving/sweep_new.html", context, status=422 if asked else 200)
    kind = TRANSFERS[asked]
    form = SweepForm(data, study=request.study, kind=kind, initial={"model": asked})
    silver = SilverForm(SilverOptions, "silver", data, prefix="silver", study=request.study, beside=form)
    lines = VaryForm(kind.Options, asked, data, beside=silver)
    if form.is_bound and form.is_valid() and silver.fits() and lines.fits():
        fixed, vary = lines.asked() if lines.is_bound else ({}, {})
        with telling(lines):
            made = start_sweep(
                study=request.study, options=fixed, vary=vary, silver=silver.chosen(), by=request.user,
                **form.cleaned_data,
            )  # fmt: skip
            return redirect("sweep", study=study, sweep=made.pk)
    wrong = form.errors or silver.errors or lines.errors
    offered = silver if kind.needs == "parallel" else None
    context |= {"form": form, "lines": lines, "label": label_of(asked), "silver": offered}
    return render(request, "modelserving/sweep_new.html", context, status=422 if wrong else 200)


@require_safe
def sweep(request: Any, study: str, sweep: int) -> HttpResponse:
    """The page of a sweep; htmx asks for the changing part while a training is unfinished."""
    one = _of(request, sweep)
    runs = list(trainings_of(one))
    tried = ranked([run for run in runs if run.combination is not None])
    again = [run for run in runs if run.combination is None]
    best = next((run.best for run in tried if run.best), None)
    context = {
        "sweep": one, "counts": counts_of(tried), "rows": [_row(one, run, repeats_of(run, again)) for run in tried],
        "again": [_row(one, run) for run in again], "names": list(one.vary),
        "better": better_in_words(best), "chart": parallel_coordinates(one.vary, tried),
        "unfinished": [run.job for run in runs if run.job.state in UNFINISHED],
        "stopped": sum(run.job.state in ("failed", "cancelled") for run in runs),
        "may_run": request.study.can(request.user, Can.RUN_MODELS),
    }  # fmt: skip
    if request.htmx:
        return render(request, "modelserving/_sweep.html", context)
    fixed = [(name, shown_value(value)) for name, value in one.options.items()]
    context["silver"] = next((silver_in_words(run.silver) for run in tried if run.silver), "")
    context |= {"label": label_of(one.model), "fixed": fixed}
    return render(request, "modelserving/sweep.html", context)


def _row(one: Sweep, run: TrainingRun, repeats: Repeats | None = None) -> dict[str, Any]:
    best, options = run.best, run.options
    return {
        "run": run, "values": [(name, shown_value(options[name]) if name in options else "") for name in one.vary],
        "score": precise(float(best["value"])) if best else "", "step": best["step"] if best else None,
        "seconds": duration(run.seconds) if run.seconds else "", "repeats": _shown(repeats) if repeats else "",
    }  # fmt: skip


def _shown(repeats: Repeats) -> str:
    """'21.3 ± 0.4 (3)'; without a deviation where there is one seed."""
    mean = precise(repeats.mean)
    spread = "" if repeats.deviation is None else f" ± {precise(repeats.deviation)}"
    return f"{mean}{spread} ({repeats.number})"


@require_POST
def sweep_cancel(request: Any, study: str, sweep: int) -> HttpResponse:
    return _do(request, sweep, cancel_sweep, _("The trainings that were not over were asked to stop."))


@require_POST
def sweep_resume(request: Any, study: str, sweep: int) -> HttpResponse:
    return _do(request, sweep, resume_sweep, _("The stopped trainings are queued again."))


def _do(request: Any, pk: int, action: Any, done: str) -> HttpResponse:
    one = _of(request, pk)
    with telling(request):
        action(sweep=one, by=request.user)
        messages.success(request, done)
    return redirect("sweep", study=request.study.slug, sweep=pk)


@require_POST
def sweep_repeat(request: Any, study: str, sweep: int) -> HttpResponse:
    """Train the options of one of the trainings, or of the best, with further seeds."""
    one, asked = _of(request, sweep), request.POST.get("training", "")
    with telling(request):
        made = repeat_training(
            sweep=one, training=int(asked) if asked.isdecimal() and len(asked) < 19 else None, by=request.user
        )
        said = ngettext("%(n)d training with another seed is queued.", "%(n)d trainings with other seeds are queued.",
                        len(made))  # fmt: skip
        messages.success(request, said % {"n": len(made)})
    return redirect(f"{reverse('sweep', args=[study, sweep])}#again-h")


@require_POST
def sweep_remove(request: Any, study: str, sweep: int) -> HttpResponse:
    with telling(request):
        tell_removed(request, remove_sweep(sweep=_of(request, sweep), by=request.user))
        return redirect("study_models", study=study)
    return redirect("sweep", study=study, sweep=sweep)


def _of(request: Any, pk: int) -> Sweep:
    return get_object_or_404(request.study.sweeps.select_related("direction", "study", "made_by"), pk=pk)
