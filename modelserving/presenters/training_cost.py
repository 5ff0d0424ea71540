"""The cost of a training before it starts: the texts that it reads, its time, memory and place in the queue."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from corpora.models import Direction, Reference, Sentence, Study
from foundation.errors import UserError
from foundation.options import list_options
from foundation.translation import grouped
from jobs.models import UNFINISHED, Job
from jobs.queues import LONG
from jobs.waiting_reasons import no_worker_message
from modelserving.models import Checkpoint, TrainingRun
from modelserving.presenters.labels import duration, shown_value
from modelserving.training_runs.preferences import usable_pairs
from modelserving.training_runs.requirements import check_needs
from modelserving.transfer import TRANSFERS, Transfer

OWN, OTHERS = 50, 50  # newest trainings of the study, and of the site, of which the most alike is looked for
SAME_PACE = frozenset(
    {"epochs", "copied_targets", "patience", "rate", "start_from", "notes"}
)  # options that no text takes longer by
COPIES = 4  # of the weights while a network is trained: weights, gradients, and Adam's two moments
MOST_NAMED = 4  # differing options of a precedent


@dataclass(frozen=True)
class Row:
    """A cost in words, and where it is from."""

    label: str
    value: str
    how: str = ""


def training_costs(model: str, options: Any, study: Study, direction: Direction | None, *, silver: bool) -> list[Row]:
    """The rows for a training with these options; none where it cannot be started."""
    kind, chosen = TRANSFERS[model], vars(options)
    try:
        direction, styles = check_needs(kind, study, direction, chosen, silver=silver)
    except UserError:
        return []
    if kind.needs == "optional":
        return [Row(_("Time"), _("none: nothing is trained, only examples are chosen"))]
    texts = _texts(kind, study, direction, styles, chosen)
    precedent = _precedent(model, chosen, study)
    return [
        Row(_("Reads"), _reads(kind, texts, chosen)), _time(precedent, texts, chosen, study),
        *_memory(kind, precedent, chosen, study), *_queue(),
    ]  # fmt: skip


def _texts(kind: Transfer, study: Study, direction: Direction | None, styles: Any, chosen: Mapping[str, Any]) -> int:
    """The pairs that it learns from, or texts of two styles, or of one, or judged pairs; documents where they are its
    units."""
    train, whole = Sentence.Split.TRAIN, study.unit == Study.Unit.DOCUMENT
    rewarded = kind.wants_texts(chosen)
    if direction and kind.wants_preferences(chosen) and not rewarded:
        return len(usable_pairs(direction, chosen).train)
    written = Reference.objects.filter(sentence__split=train).exclude(text="")
    written = written.filter(set__direction=direction) if direction else written.filter(set__direction__study=study)
    targets = written.values("sentence__origin__document", "set").distinct().count() if whole else written.count()
    if direction and not rewarded:
        return targets
    read = styles[:1] if rewarded else styles
    sources = Sentence.objects.filter(direction__study=study, direction__source_style__in=read, split=train)
    found = sources.values("origin__document").distinct().count() if whole else sources.count()
    return found if rewarded else targets + found


def _reads(kind: Transfer, texts: int, chosen: Mapping[str, Any]) -> str:
    """'48 pairs, at most 30 times: 60 updates at most'."""
    pairs = kind.needs == "parallel" and not kind.wants_texts(chosen)
    given = {"n": grouped(texts)}
    said = (
        ngettext("%(n)s pair", "%(n)s pairs", texts) if pairs else ngettext("%(n)s text", "%(n)s texts", texts)
    ) % given
    epochs, batch = chosen.get("epochs"), chosen.get("batch")
    if not epochs:
        return said
    if not batch or chosen.get("batch_tokens"):
        return _("%(texts)s, at most %(epochs)s times") % {"texts": said, "epochs": grouped(epochs)}
    updates = epochs * math.ceil(texts * _times(chosen) / (batch * chosen.get("accumulate", 1)))
    return _("%(texts)s, at most %(epochs)s times: %(updates)s updates at most") % {
        "texts": said, "epochs": grouped(epochs), "updates": grouped(updates)
    }  # fmt: skip


def _times(chosen: Mapping[str, Any]) -> int:
    """How often an epoch reads a text: once, and once more for each copy of its target."""
    return 1 + int(chosen.get("copied_targets", 0))


def _precedent(model: str, chosen: Mapping[str, Any], study: Study) -> TrainingRun | None:
    """The training that ended of whose options the fewest differ; of equal ones one of the study, then the newest."""
    ended = TrainingRun.objects.filter(model=model, job__state=Job.State.DONE, seconds__gt=0, job__done__gt=0)
    ended = ended.select_related("job").defer("samples").order_by("-pk")
    found = [*ended.filter(study=study)[:OWN], *ended.exclude(study=study)[:OTHERS]]
    return min(found, key=lambda run: len(_differing(run, chosen)), default=None)


def _differing(run: TrainingRun, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The run's own values of options that are others here and may change its pace or size."""
    known = {one.name: one.default for one in list_options(TRANSFERS[run.model].Options)}
    own = known | run.options
    return {name: own[name] for name in known if name not in SAME_PACE and own[name] != chosen.get(name)}


def _time(run: TrainingRun | None, texts: int, chosen: Mapping[str, Any], study: Study) -> Row:
    """At the pace of the precedent, if it takes all its passes."""
    read = _read(run) if run else 0
    if run is None or not read:
        return Row(_("Time"), _("not known"), _("No training of this model has ended on this site yet."))
    seconds = run.seconds / read * texts * _times(chosen) * (chosen.get("epochs") or 1)
    return Row(_("Time"), _("at most %(time)s") % {"time": duration(seconds)}, _as_measured(run, read, chosen, study))


def _read(run: TrainingRun) -> float:
    """How many texts it read, each as often as it did."""
    counts, learnt = run.counts, ("preferences", "pairs") if run.direction_id else tuple(run.styles)
    if TRANSFERS[run.model].wants_texts(run.options):
        learnt = tuple(run.styles[:1])
    numbers = [int(counts.get(name) or 0) for name in learnt]
    texts = next(filter(None, numbers), 0) if run.direction_id else sum(numbers)
    known = {one.name: one.default for one in list_options(TRANSFERS[run.model].Options)} | run.options
    passes = (known.get("epochs") or 1) * (run.job.done / run.job.total if run.job.total else 1)
    return texts * _times(known) * passes


def _as_measured(run: TrainingRun, read: float, chosen: Mapping[str, Any], study: Study) -> str:
    given = {
        "name": run.name, "time": duration(run.seconds), "texts": grouped(round(read)),
        "device": run.device_used or run.get_device_display(),
    }  # fmt: skip
    if run.study_id == study.pk:
        said = _("At the pace of “%(name)s”: %(texts)s texts in %(time)s on %(device)s.") % given
    else:
        said = _("At the pace of a training of another study: %(texts)s texts in %(time)s on %(device)s.") % given
    differing = list(_differing(run, chosen).items())
    named = ", ".join(f"{name} {shown_value(value)}" for name, value in differing[:MOST_NAMED])
    if not differing:
        return said
    return f"{said} " + _("It had other options (%(options)s), so this is rough.") % {
        "options": f"{named}, …" if len(differing) > MOST_NAMED else named
    }


def _memory(kind: Transfer, run: TrainingRun | None, chosen: Mapping[str, Any], study: Study) -> Iterator[Row]:
    """The memory of the weights while they are trained; the activations of a batch come on top."""
    label = _("Memory")
    if least := kind.least_memory(chosen):
        value = _("%(size)s at least") % {"size": filesizeformat(least)}
        yield Row(label, value, _("For the weights of the folder; the activations of a batch come on top."))
    elif run and kind.device == "gpu" and (size := _size(run)):
        how = _("Four times the weights of “%(name)s”; the activations of a batch come on top.") % {"name": run.name}
        if run.study_id != study.pk:
            how = _("Four times the weights of an earlier training; the activations of a batch come on top.")
        yield Row(label, _("about %(size)s at least") % {"size": filesizeformat(COPIES * size)}, how)


def _size(run: TrainingRun) -> int:
    return Checkpoint.objects.filter(run=run).order_by("kind").values_list("size", flat=True).first() or 0


def _queue() -> Iterator[Row]:
    """The jobs before it, or that no worker takes it."""
    before = Job.objects.filter(queue=LONG, state__in=UNFINISHED).count()
    said = ngettext("after %(n)s job", "after %(n)s jobs", before) % {"n": before} if before else _("at once")
    yield Row(_("Begins"), said, no_worker_message(LONG))
