"""The progress of a training, and its curves as a chart in Vega-Lite and as a table of the same numbers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, FloatField, Func, Prefetch, QuerySet
from django.db.models.fields.json import KT
from django.utils.translation import gettext as _

from corpora.models import Study
from modelserving.models import Checkpoint, TrainingCurve, TrainingRun
from modelserving.presenters.labels import better_in_words, curve_label, duration, number, score_in_words
from modelserving.training.recipe import ATTENTION, ON_ONE_PLACE, attention_warning

# The progress of a training, which its page asks for again and again, in few and small queries.

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
    """The changing parts of a training's page. `drawn` changes whenever the curves do, `written` with the log."""

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
    warning: str
    drawn: str
    log: str
    written: int


def followed(study: Study) -> QuerySet[TrainingRun]:
    """Trainings as their page shows them, without the samples; `last_look` is the step of the newest."""
    small = Checkpoint.objects.defer("manifest").order_by("kind")
    return (
        study.trainings.select_related("job", "direction", "sweep")
        .defer("samples")
        .annotate(last_look=KT("samples__-1__step"))
        .prefetch_related(Prefetch("checkpoints", queryset=small))
    )


def live(run: TrainingRun) -> Live:
    """The run's progress now, by one query."""
    curves = {curve["name"]: curve for curve in _curves(run)}
    job = run.job
    return Live(
        state=job.state, done=job.done, total=job.total, left=_left(run),
        ran=duration(run.seconds) if run.seconds else "",
        speed=f"{curves[SPEED]['last']:,.0f}" if _has(curves, SPEED) and job.state == "running" else "",
        loss=number(curves[LOSS]["last"]) if _has(curves, LOSS) else "",
        best=score_in_words(run.best), better=better_in_words(run.best), wait=_wait(run),
        warning=attention_warning(curves[ON_ONE_PLACE]["last"], _) if _has(curves, ON_ONE_PLACE) else "",
        drawn="-".join(_stamp(curve) for curve in curves.values()),
        log="".join(job.log.splitlines(keepends=True)[-LINES:]), written=len(job.log),
    )  # fmt: skip


def _curves(run: TrainingRun) -> Iterable[Mapping[str, Any]]:
    """The end of each curve."""
    rows = TrainingCurve.objects.filter(run=run).order_by("pk")
    return rows.annotate(last=Last(F("values")), at=Last(F("steps")), count=F("steps__len")).values(
        "name", "last", "at", "count"
    )


def _has(curves: Mapping[str, Any], name: str) -> bool:
    return name in curves and curves[name]["last"] is not None


def _stamp(curve: Mapping[str, Any]) -> str:
    return f"{curve['count'] or 0}.{curve['at'] or 0:.0f}"


def _left(run: TrainingRun) -> str:
    """The longest time left, at its pace so far: it may stop early."""
    job = run.job
    if job.state != "running" or not job.done or not run.seconds or job.done >= job.total:
        return ""
    return duration(run.seconds * (job.total - job.done) / job.done)


def _wait(run: TrainingRun) -> int:
    """Seconds until the page asks again: the longer it runs, the slower it changes."""
    return next((wait for ran, wait in WAITS if run.seconds < ran), LONGEST_WAIT)


SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
COLOUR, BEST = "#009E73", "#D55E00"  # of Okabe and Ito's: seen on light and dark
MOST_DRAWN = 400  # points of a curve: more than a screen can tell apart
MOST_ROWS = 25
WIDTH, HEIGHT = 430, 230
Points = list[tuple[int, float]]


@dataclass(frozen=True)
class Table:
    """The curves as rows, one for each step; a curve without a value there is empty."""

    heads: list[str]
    rows: list[tuple[int, list[str]]]


def chart(run: TrainingRun) -> dict[str, Any]:
    """A panel for each loss and for the tune score, with scales of their own; the best checkpoint is marked.

    Each row has its `value`, and `smooth`, which the page replaces by a moving average (`usermeta.logs` names the
    panels that it may draw on a logarithmic scale).
    """
    found = _found(run)
    labels = {name: curve_label(name, curve.better) for name, curve in found.items()}
    curves = {name: thinned(_points(curve)) for name, curve in found.items() if name != SPEED}
    rows = [
        {"curve": labels[name], "step": step, "value": value, "smooth": value}
        for name, points in curves.items()
        for step, value in points
    ]
    names = _ordered(curves)
    plain = {*ATTENTION, *(name for name, curve in found.items() if curve.better)}
    return {
        "$schema": SCHEMA,
        "data": {"name": "curves", "values": rows},
        "usermeta": {"logs": [labels[name] for name in names if name not in plain]},
        "columns": 2,
        "concat": [_panel(labels[name], _best_of(run, name)) for name in names],
    }


def _panel(label: str, best: dict[str, Any] | None) -> dict[str, Any]:
    x = {
        "field": "step", "type": "quantitative", "title": _("Step"), "scale": {"nice": False},
        "axis": {"tickMinStep": 1, "format": ",d"},
    }  # fmt: skip
    y = {"field": "smooth", "type": "quantitative", "title": None, "scale": {"zero": False}}
    tip = [
        {"field": "step", "title": _("Step"), "format": ",d"},
        {"field": "value", "title": label, "format": ".4~f"},
        {"field": "smooth", "title": _("Smoothed"), "format": ".4~f"},
    ]
    line = {"type": "line", "color": COLOUR, "strokeJoin": "round"}
    return {
        "title": label, "width": WIDTH, "height": HEIGHT,
        "transform": [{"filter": {"field": "curve", "equal": label}}],
        "encoding": {"x": x, "y": y, "tooltip": tip},
        "layer": [
            {"mark": {**line, "strokeWidth": 1, "opacity": 0.35}, "encoding": {"y": {**y, "field": "value"}}},
            {"mark": {**line, "strokeWidth": 2}},
            {"mark": {"type": "point", "color": COLOUR, "filled": True, "size": 14, "opacity": 1}},
            *_mark_of(best),
        ],
    }  # fmt: skip


def _best_of(run: TrainingRun, name: str) -> dict[str, Any] | None:
    """The step of the best checkpoint, and its score where the panel is of the score."""
    if not run.best:
        return None
    return {"step": run.best["step"], "score": run.best["value"] if run.best["curve"] == name else None}


def _mark_of(best: dict[str, Any] | None) -> list[dict[str, Any]]:
    """A dashed line at the best checkpoint, and a diamond on its score."""
    if best is None:
        return []
    said = {"best": _("Best checkpoint"), "step": best["step"], "score": best["score"]}
    tip = [
        {"field": "best", "type": "nominal", "title": ""},
        {"field": "step", "type": "quantitative", "title": _("Step"), "format": ",d"},
        {"field": "score", "type": "quantitative", "title": _("Score"), "format": ".4~f"},
    ]
    x = {"field": "step", "type": "quantitative"}
    rule = {
        "data": {"values": [said]}, "mark": {"type": "rule", "strokeDash": [4, 4], "color": BEST},
        "encoding": {"x": x, "y": None, "tooltip": None},
    }  # fmt: skip
    if best["score"] is None:
        return [rule]
    point = {
        "data": {"values": [said]},
        "mark": {"type": "point", "shape": "diamond", "filled": True, "size": 160, "color": BEST, "opacity": 1},
        "encoding": {"x": x, "y": {"field": "score", "type": "quantitative"}, "tooltip": tip},
    }
    return [rule, point]


def table(run: TrainingRun) -> Table:
    """A row for each tune score, or for some steps of the loss if there is no score; the newest first."""
    found = _found(run)
    curves = {name: _points(curve) for name, curve in found.items()}
    names = [*_ordered({name: points for name, points in curves.items() if name != SPEED}), *(
        [SPEED] if SPEED in curves else []
    )]  # fmt: skip
    scored = next((curves[name] for name, curve in found.items() if curve.better), curves.get(LOSS, []))
    steps = [step for step, _value in thinned(scored, MOST_ROWS)]
    rows = [(step, [_at(curves[name], step) for name in names]) for step in reversed(steps)]
    return Table([curve_label(name, found[name].better) for name in names], rows)


def thinned(points: Points, most: int = MOST_DRAWN) -> Points:
    """At most so many of the points, evenly, the last among them."""
    if len(points) <= most:
        return points
    return [points[round(place * (len(points) - 1) / (most - 1))] for place in range(most)]


def _found(run: TrainingRun) -> dict[str, TrainingCurve]:
    """The curves by name, read once: while the training goes on, the next reading may have a further one."""
    return {curve.name: curve for curve in run.curves.all()}


def _points(curve: TrainingCurve) -> Points:
    return list(zip(curve.steps, curve.values, strict=True))


def _ordered(curves: dict[str, Points]) -> list[str]:
    return sorted(curves, key=lambda name: (name != LOSS, name))


def _at(points: Points, step: int) -> str:
    """The newest value up to the step."""
    before = _upto(points, step)
    return next((number(value) for _step, value in before), "")


def _upto(points: Sequence[tuple[int, float]], step: int) -> Iterator[tuple[int, float]]:
    return (point for point in reversed(points) if point[0] <= step)
