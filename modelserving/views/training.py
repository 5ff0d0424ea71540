"""A training: followed while it runs, stopped, resumed, removed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.permissions import Can
from accounts.telling import telling
from corpora.views.trash import tell_removed
from foundation.word_diff import Piece
from jobs.actions.cancel_job import cancel_job
from jobs.actions.retry_job import retry_job
from modelserving.actions.describe_training import describe_training
from modelserving.actions.remove_training import remove_training
from modelserving.forms.runs import NotesForm
from modelserving.models import TrainingRun
from modelserving.presenters import charts
from modelserving.presenters.charts import followed, live
from modelserving.presenters.labels import changed_of, label_of, marked_changes, training_facts

# The outputs of a training for a few tune sources, look by look, with the changed words.


@dataclass(frozen=True)
class Output:
    """The output for a source at a step: its changes of the source, or since the look before."""

    step: int
    text: str
    pieces: list[Piece]


@dataclass(frozen=True)
class SampleHistory:
    """A tune source with its outputs, the newest first; the earlier ones are shown as changes of one another."""

    source: str
    reference: str
    now: Output
    before: list[Output]


def sample_histories(run: TrainingRun) -> list[SampleHistory]:
    """The sources of the newest look."""
    looks = run.samples
    if not looks:
        return []
    return [_shown(looks, row) for row in looks[-1]["rows"]]


def _shown(looks: list[dict[str, Any]], row: dict[str, Any]) -> SampleHistory:
    outputs = list(_outputs(looks, row["source"]))
    step, text = outputs[-1]
    earlier = [
        Output(at, said, marked_changes(before, said))
        for (_, before), (at, said) in zip([(0, ""), *outputs], outputs, strict=False)
        if said != before
    ]
    return SampleHistory(
        row["source"], row["reference"], Output(step, text, marked_changes(row["source"], text)), earlier[::-1]
    )


def _outputs(looks: list[dict[str, Any]], source: str) -> Iterator[tuple[int, str]]:
    for look in looks:
        for row in look["rows"]:
            if row["source"] == source:
                yield look["step"], row["output"]
                break


@require_safe
def training(request: Any, study: str, training: int) -> HttpResponse:
    """The page of a training; htmx asks for the changing part, and says which samples it has."""
    run: Any = get_object_or_404(followed(request.study), pk=training)
    may_run = request.study.can(request.user, Can.RUN_MODELS)
    now = live(run)
    context = {"run": run, "live": now, "may_run": may_run}
    if not request.htmx:
        facts = {
            "label": label_of(run.model),
            "facts": training_facts(run),
            "changed": changed_of(run.model, run.options),
            "sweep": run.sweep,
        }
        whole = {**context, **facts, **_whole(run)}
        return render(request, "modelserving/training.html", whole)
    seen = request.GET.get("seen", ""), request.GET.get("log", "")
    again = run.job.is_over or (run.last_look is not None and seen[0] != str(run.last_look))
    context |= {"again": again, "log_again": seen[1] != str(now.written), **(_whole(run) if again else {})}
    return render(request, "modelserving/_live.html", context)


def _whole(run: TrainingRun) -> dict[str, Any]:
    """The context that changes only with a new look at the tune set."""
    return {"samples": sample_histories(run), "table": charts.table(run)}


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
    return _do(request, training, retry_job, _("The training is queued again; it continues from its last checkpoint."))


def _do(request: Any, pk: int, action: Any, done: str) -> HttpResponse:
    run = get_object_or_404(request.study.trainings.select_related("job"), pk=pk)
    with telling(request):
        action(job=run.job)
        messages.success(request, done)
    return redirect("training", study=request.study.slug, training=pk)


@require_POST
def training_notes(request: Any, study: str, training: int) -> HttpResponse:
    """Keep the notes and tags; a refusal is shown, and leaves them as they were."""
    run = get_object_or_404(request.study.trainings, pk=training)
    form = NotesForm(request.POST)
    if form.is_valid():
        with telling(form):
            describe_training(run=run, by=request.user, **form.cleaned_data)
    if form.errors:
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    else:
        messages.success(request, _("Saved."))
    return redirect(f"{reverse('training', args=[study, training])}#notes-h")


@require_POST
def training_remove(request: Any, study: str, training: int) -> HttpResponse:
    run = get_object_or_404(request.study.trainings, pk=training)
    with telling(request):
        tell_removed(request, remove_training(run=run, by=request.user))
        return redirect("study_models", study=study)
    return redirect("training", study=study, training=training)
