"""How far a training is: what its page asks for again and again, in few and small queries."""

from dataclasses import dataclass
from typing import Any

from django.db.models import F, FloatField, Func, Prefetch, QuerySet
from django.db.models.fields.json import KT

from corpora.models import Study
from modelserving.models import Checkpoint, TrainingCurve, TrainingRun
from modelserving.presenters.labels import better_in_words, duration, number, score_in_words

SPEED, LOSS = "tokens a second", "loss"
LINES = 200  # of the log, the newest
WAITS = ((60, 1), (600, 2), (3600, 5))  # seconds that it has run for, and seconds from one look to the next
LONGEST_WAIT = 15


class Last(Func):
    """The last element of an array."""

    template = "(%(expressions)s)[cardinality(%(expressions)s)]"
    output_field = FloatField()


@dataclass(frozen=True)
class Live:
    """What moves on the page of a training. `drawn` changes whenever the curves have, `written` with the log."""

    state: str
    done: int
    total: int
    left: str
    ran: str
    speed: str
    loss: str
    best: str
    better: str
    wait: int
    drawn: str
    log: str
    written: int


def followed(study: Study) -> QuerySet[TrainingRun]:
    """Trainings as their page shows them, without the samples; `last_look` is the step of the newest."""
    small = Checkpoint.objects.defer("manifest").order_by("kind")
    return (
        study.trainings.select_related("job", "direction")
        .defer("samples")
        .annotate(last_look=KT("samples__-1__step"))
        .prefetch_related(Prefetch("checkpoints", queryset=small))
    )


def live(run: TrainingRun) -> Live:
    """How far the run is now: one query."""
    curves = {curve["name"]: curve for curve in _curves(run)}
    job = run.job
    return Live(
        state=job.state, done=job.done, total=job.total, left=_left(run),
        ran=duration(run.seconds) if run.seconds else "",
        speed=f"{curves[SPEED]['last']:,.0f}" if _has(curves, SPEED) and job.state == "running" else "",
        loss=number(curves[LOSS]["last"]) if _has(curves, LOSS) else "",
        best=score_in_words(run.best), better=better_in_words(run.best), wait=_wait(run),
        drawn="-".join(_stamp(curve) for curve in curves.values()),
        log="".join(job.log.splitlines(keepends=True)[-LINES:]), written=len(job.log),
    )  # fmt: skip


def _curves(run: TrainingRun) -> QuerySet[TrainingCurve, dict[str, Any]]:
    """The end of each curve, not the curve."""
    rows = TrainingCurve.objects.filter(run=run).order_by("pk")
    return rows.annotate(last=Last(F("values")), at=Last(F("steps")), count=F("steps__len")).values(
        "name", "last", "at", "count"
    )


def _has(curves: dict[str, Any], name: str) -> bool:
    return name in curves and curves[name]["last"] is not None


def _stamp(curve: dict[str, Any]) -> str:
    return f"{curve['count'] or 0}.{curve['at'] or 0:.0f}"


def _left(run: TrainingRun) -> str:
    """How long it takes at most, at its pace so far: it may stop early."""
    job = run.job
    if job.state != "running" or not job.done or not run.seconds or job.done >= job.total:
        return ""
    return duration(run.seconds * (job.total - job.done) / job.done)


def _wait(run: TrainingRun) -> int:
    """Seconds until the page asks again: the longer it runs, the less there is to see of it."""
    return next((wait for ran, wait in WAITS if run.seconds < ran), LONGEST_WAIT)
