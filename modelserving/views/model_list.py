"""The list of a study's models, and the page of a checkpoint: its facts, its file's export and import, its removal."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.permissions import Can
from accounts.telling import form_page, go_on, telling
from corpora.models import Study
from corpora.views.trash import tell_removed
from modelserving.actions.import_checkpoint import import_checkpoint
from modelserving.actions.remove_checkpoint import remove_checkpoint
from modelserving.artifacts import checkpoint_download
from modelserving.forms.runs import ImportForm
from modelserving.models import Checkpoint, TrainingRun
from modelserving.presenters.labels import better_in_words, facts_of, label_of, score_in_words

# A checkpoint: its facts, the export and import of its file, and its removal.


@require_safe
def checkpoint(request: Any, study: str, checkpoint: int) -> HttpResponse:
    """The page of a checkpoint: its facts, its runs, and the actions on it."""
    one = _of(request, checkpoint)
    runs = one.transfer_runs.select_related("job", "system", "direction").order_by("-pk")[:20]
    crumbs = [{"url": reverse("training", args=[study, one.run_id]), "label": one.run.name}] if one.run else []
    context = {
        "checkpoint": one, "facts": facts_of(one), "runs": runs, "crumbs": crumbs,
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
    with telling(request):
        tell_removed(request, remove_checkpoint(checkpoint=one, by=request.user))
        return redirect("study_models", study=study)
    return redirect("checkpoint", study=study, checkpoint=checkpoint)


@require_http_methods(["GET", "HEAD", "POST"])
def checkpoint_import(request: Any, study: str) -> HttpResponse:
    """Take a checkpoint from elsewhere into the study; a file's fault stands beside its field."""
    form = ImportForm(request=request)
    if form.is_bound and form.is_valid():
        with telling(form, "file"):
            made = import_checkpoint(study=request.study, by=request.user, **form.cleaned_data)
            said = _("The checkpoint %(checkpoint)s is imported.") % {"checkpoint": made.name}
            return go_on(request, said, "checkpoint", study=study, checkpoint=made.pk)
    return form_page(request, "modelserving/import.html", form)


def _of(request: Any, pk: int) -> Checkpoint:
    return get_object_or_404(request.study.checkpoints.select_related("run", "made_by"), pk=pk)


@dataclass(frozen=True)
class Entry:
    """A row of the list: a training, or a checkpoint from elsewhere."""

    run: TrainingRun | None
    checkpoint: Checkpoint | None
    made_at: datetime

    @property
    def _row(self) -> TrainingRun | Checkpoint:
        row = self.run or self.checkpoint
        assert row is not None, "one of the two is there"
        return row

    @property
    def _told(self) -> Mapping[str, Any]:
        """The manifest's facts of the training elsewhere."""
        return self.checkpoint.manifest["trained"] if self.checkpoint else {}

    @property
    def _best(self) -> Any:
        return self.run.best if self.run else self._told.get("score")

    @property
    def name(self) -> str:
        return self._row.name

    @property
    def model(self) -> str:
        return label_of(self._row.model)

    @property
    def directions(self) -> list[str]:
        """'informal to formal', each on a line of its own."""
        pairs = self.checkpoint.directions if self.checkpoint else []
        if self.run and not self.checkpoint:
            first, second = self.run.styles
            pairs = [(first, second)] if self.run.direction_id else [(first, second), (second, first)]
        return [_("%(source)s to %(target)s") % {"source": source, "target": target} for source, target in pairs]

    @property
    def unfinished(self) -> bool:
        return self.run is not None and not self.run.job.is_over

    @property
    def may_resume(self) -> bool:
        return self.run is not None and self.run.job.state in ("failed", "cancelled")

    @property
    def score(self) -> str:
        return score_in_words(self._best)

    @property
    def better(self) -> str:
        return better_in_words(self._best)

    @property
    def seed(self) -> int | None:
        """None where an imported manifest says nothing sensible."""
        seed = self.run.seed if self.run else self._told.get("seed")
        return seed if isinstance(seed, int) else None


def tags_in(study: Study) -> list[tuple[str, int]]:
    """The tags of the study's trainings, each with the number of trainings that have it."""
    counts = Counter(tag for tags in study.trainings.values_list("tags", flat=True) for tag in tags)
    return sorted(counts.items(), key=lambda one: one[0].casefold())


def entries_of(study: Study, tag: str = "") -> list[Entry]:
    """The rows, newest first; with a tag only the trainings that have it."""
    best = Checkpoint.objects.filter(kind=Checkpoint.Kind.BEST)
    runs = study.trainings.select_related("job").defer("samples", "notes", "job__log")
    runs = runs.prefetch_related(Prefetch("checkpoints", queryset=best, to_attr="best_checkpoints"))
    if tag:
        runs = runs.filter(tags__contains=[tag])
    rows = [Entry(run, next(iter(run.best_checkpoints), None), run.job.made_at) for run in runs]
    rows += [
        Entry(None, checkpoint, checkpoint.made_at)
        for checkpoint in study.checkpoints.filter(kind=Checkpoint.Kind.IMPORTED)
        if not tag
    ]
    return sorted(rows, key=lambda row: row.made_at, reverse=True)


A_PAGE = 25


@require_safe
def study_models(request: Any, study: str) -> HttpResponse:
    """Trainings and imported checkpoints, newest first; htmx asks for the list alone while a training is unfinished."""
    tag = request.GET.get("tag", "")
    page = Paginator(entries_of(request.study, tag), A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "unfinished": [entry.run.job for entry in page if entry.run and entry.unfinished],
        "tag": tag,
        "may_run": request.study.can(request.user, Can.RUN_MODELS),
    }
    if request.htmx:
        return render(request, "modelserving/_list.html", context)
    files = request.study.transfer_runs.exclude(file_name="").select_related("job", "checkpoint", "direction")[:10]
    context |= {"files": files, "tags": tags_in(request.study), "sweeps": request.study.sweeps.all()}
    return render(request, "modelserving/models.html", context)
