"""What models a study has."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.permissions import Can
from corpora.models import Study
from modelserving.models import Checkpoint, TrainingRun
from modelserving.presenters.labels import better_in_words, label_of, score_in_words

# The list of a study's models: a row a training, with its best checkpoint, and a row an imported checkpoint.


@dataclass(frozen=True)
class Entry:
    """A row of the list: of a training, or of a checkpoint that came from elsewhere."""

    run: TrainingRun | None
    checkpoint: Checkpoint | None
    made_at: datetime

    @property
    def name(self) -> str:
        return self.run.name if self.run else self.checkpoint.name

    @property
    def model(self) -> str:
        return label_of((self.run or self.checkpoint).model)

    @property
    def directions(self) -> list[str]:
        """'informal to formal', each on a line of its own."""
        if self.checkpoint:
            pairs = self.checkpoint.directions
        else:
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
        return score_in_words(self.run.best if self.run else self.checkpoint.manifest["trained"].get("score"))

    @property
    def better(self) -> str:
        return better_in_words(self.run.best if self.run else self.checkpoint.manifest["trained"].get("score"))

    @property
    def seed(self) -> int | None:
        """None where an imported manifest says nothing sensible."""
        seed = self.run.seed if self.run else self.checkpoint.manifest["trained"].get("seed")
        return seed if isinstance(seed, int) else None


def tags_in(study: Study) -> list[tuple[str, int]]:
    """The tags of the study's trainings, each with how many have it."""
    counts = Counter(tag for tags in study.trainings.values_list("tags", flat=True) for tag in tags)
    return sorted(counts.items(), key=lambda one: one[0].casefold())


def entries_of(study: Study, tag: str = "") -> list[Entry]:
    """The rows, newest first; of a tag the trainings that have it."""
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
        "unfinished": [entry.run.job for entry in page if entry.unfinished],
        "tag": tag,
        "may_run": request.study.can(request.user, Can.RUN_MODELS),
    }
    if request.htmx:
        return render(request, "modelserving/_list.html", context)
    files = request.study.transfer_runs.exclude(file_name="").select_related("job", "checkpoint", "direction")[:10]
    return render(request, "modelserving/models.html", {**context, "files": files, "tags": tags_in(request.study)})
