"""The curves of a training, as a chart in Vega-Lite and as a table of the same numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from modelserving.models import TrainingCurve, TrainingRun
from modelserving.presenters.labels import curve_label, number
from modelserving.presenters.progress import LOSS, SPEED

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
COLOUR, BEST = "#009E73", "#D55E00"  # of Okabe and Ito's: seen on light and dark
MOST_DRAWN = 400  # points of a curve: more than a screen can tell apart
MOST_ROWS = 25
WIDTH, HEIGHT = 430, 230
Points = list[tuple[int, float]]


@dataclass(frozen=True)
class Table:
    """The curves as rows: a row a step; a curve without a value there is empty."""

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
    scored = {name for name, curve in found.items() if curve.better}
    return {
        "$schema": SCHEMA,
        "data": {"name": "curves", "values": rows},
        "usermeta": {"logs": [labels[name] for name in names if name not in scored]},
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
    """A row for each tune score, or for some steps of the loss where there is no score; the newest first."""
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
    """By name, read once: while the training goes on, the next reading may have a curve more."""
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
