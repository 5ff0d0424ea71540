"""A training: asked for, followed while it runs, stopped, gone on with, removed."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.permissions import Can
from corpora.views.trash import tell_removed
from foundation.errors import UserError
from jobs.actions.cancel_job import cancel_job
from jobs.actions.retry_job import retry_job
from modelserving.actions.remove_training import remove_training
from modelserving.actions.start_training import start_training
from modelserving.forms.options import OptionsForm
from modelserving.forms.training import TrainingForm
from modelserving.models import TrainingRun
from modelserving.presenters import charts, model_kinds, samples
from modelserving.presenters.checkpoint_facts import changed_of, training_facts
from modelserving.presenters.labels import label_of
from modelserving.presenters.lengths import length_sentences
from modelserving.presenters.progress import followed, live
from modelserving.transfer import TRANSFERS

LENGTHS = "lengths"  # the element that says how many texts are too long


@require_http_methods(["GET", "HEAD", "POST"])
def training_new(request: Any, study: str) -> HttpResponse:
    """Train a model; htmx asks for the options of the kind that was chosen."""
    groups = model_kinds.groups_of(request.study)
    ready = [kind.name for group in groups for kind in group.kinds if not kind.lacks]
    posted = request.POST if request.method == "POST" else None
    chosen = _chosen(request, ready)
    form = TrainingForm(posted, study=request.study, names=model_kinds.trained(), initial={"model": chosen})
    preset = request.GET.get("preset", "")
    options = _options(chosen, preset, posted) if chosen else None
    if request.htmx and request.method == "GET" and request.htmx.target == LENGTHS:
        return render(request, "modelserving/_lengths.html", {"lengths": _lengths(request, chosen, request.GET)})
    if request.htmx and request.method == "GET":
        return render(request, "modelserving/_options.html", {"options": options, **_beside(study, chosen, preset)})
    counts = "count" in request.POST  # what a browser without scripts asks for
    fits = form.is_bound and form.is_valid() and options is not None and options.fits()
    if fits and not counts and (run := _started(request, form, options)):
        return redirect("training", study=study, training=run.pk)
    context = {
        "form": form, "options": options, "groups": groups, "chosen": chosen, "ready": ready,
        "lacks": model_kinds.lacks_of(groups), "crumbs": _crumbs(study),
        **_beside(study, chosen, preset),
        "lengths": _lengths(request, chosen, request.POST) if fits and counts else [],
    }  # fmt: skip
    wrong = form.is_bound and (form.errors or (options and options.errors))
    return render(request, "modelserving/train.html", context, status=422 if wrong else 200)


def _options(chosen: str, preset: str, posted: Any) -> OptionsForm:
    """The options of a kind; with a preset its values are filled in."""
    kind = TRANSFERS[chosen]
    begun = kind.presets[preset].options if preset in kind.presets else None
    return OptionsForm(kind.Options, chosen, posted, prefix="option", begun=begun)


def _beside(study: str, chosen: str, preset: str) -> dict[str, Any]:
    """What stands beside the options: the presets of a kind that has some, and where a prompt can be looked at."""
    if not chosen:
        return {}
    presets = model_kinds.presets_of(chosen, preset)
    prompt = {"prompt_url": reverse("training_prompt", args=[study])} if TRANSFERS[chosen].prompts else {}
    return {"presets": presets, "options_url": reverse("training_new", args=[study]), **prompt}


def _lengths(request: Any, chosen: str, given: Any) -> list[str]:
    """How many texts the chosen kind finds too long, with the options of the form, where these can be."""
    if not chosen:
        return []
    kind = TRANSFERS[chosen]
    options = OptionsForm(kind.Options, chosen, given, prefix="option")
    asked = given.get("direction", "")
    direction = request.study.directions.filter(pk=asked).first() if asked.isdecimal() and len(asked) < 19 else None
    try:
        if not options.fits():
            return []
        return length_sentences(kind, kind.choose_options(options.chosen()), request.study, direction)
    except UserError as error:
        return [str(error)]


def _chosen(request: Any, ready: list[str]) -> str:
    """The kind that was asked for; else the first that can be trained, and "" where none can."""
    asked = request.POST.get("model") or request.GET.get("model", "")
    return asked if asked in model_kinds.trained() else next(iter(ready), "")


def _started(request: Any, form: TrainingForm, options: OptionsForm) -> TrainingRun | None:
    try:
        return start_training(
            study=request.study, options=options.chosen(), by=request.user, **form.cleaned_data
        )  # fmt: skip
    except UserError as error:
        (options if error.where in options.fields else form).tell(error)
        return None


def _crumbs(study: str) -> list[dict[str, str]]:
    return [{"url": reverse("study_models", args=[study]), "label": _("Models")}]


@require_safe
def training(request: Any, study: str, training: int) -> HttpResponse:
    """The page of a training; htmx asks for what moves, and says which samples it has."""
    run = get_object_or_404(followed(request.study), pk=training)
    may_run = request.study.can(request.user, Can.RUN_MODELS)
    now = live(run)
    context = {"run": run, "live": now, "may_run": may_run}
    if not request.htmx:
        facts = {
            "label": label_of(run.model),
            "facts": training_facts(run),
            "changed": changed_of(run.model, run.options),
        }
        whole = {**context, **facts, **_whole(run), "crumbs": _crumbs(study)}
        return render(request, "modelserving/training.html", whole)
    seen = request.GET.get("seen", ""), request.GET.get("log", "")
    again = run.job.is_over or (run.last_look is not None and seen[0] != str(run.last_look))
    context |= {"again": again, "log_again": seen[1] != str(now.written), **(_whole(run) if again else {})}
    return render(request, "modelserving/_live.html", context)


def _whole(run: TrainingRun) -> dict[str, Any]:
    """What is renewed only with a new look at the tune set."""
    return {"samples": samples.sample_histories(run), "table": charts.table(run)}


@require_safe
def training_curves(request: Any, study: str, training: int) -> JsonResponse:
    """The curves as a Vega-Lite chart."""
    run = get_object_or_404(request.study.trainings.only("pk"), pk=training)
    return JsonResponse(charts.chart(run))


@require_POST
def training_cancel(request: Any, study: str, training: int) -> HttpResponse:
    return _do(request, training, cancel_job, _("The training was asked to stop."))


@require_POST
def training_resume(request: Any, study: str, training: int) -> HttpResponse:
    return _do(request, training, retry_job, _("The training is queued again; it goes on from its last checkpoint."))


def _do(request: Any, pk: int, action: Any, done: str) -> HttpResponse:
    run = get_object_or_404(request.study.trainings.select_related("job"), pk=pk)
    try:
        action(job=run.job)
        messages.success(request, done)
    except UserError as error:
        messages.error(request, str(error))
    return redirect("training", study=request.study.slug, training=pk)


@require_POST
def training_remove(request: Any, study: str, training: int) -> HttpResponse:
    run = get_object_or_404(request.study.trainings, pk=training)
    try:
        tell_removed(request, remove_training(run=run, by=request.user))
    except UserError as error:
        messages.error(request, str(error))
        return redirect("training", study=study, training=training)
    return redirect("study_models", study=study)
