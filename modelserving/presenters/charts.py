"""The curves of a training, as a chart in Vega-Lite and as a table of the same numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from modelserving.models import TrainingRun
from modelserving.presenters.labels import curve_label, number
from modelserving.presenters.progress import LOSS, SPEED

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
COLOUR = "#009E73"  # of Okabe and Ito's: seen on light and dark
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
    """A panel for the tune score and one for each loss, with scales of their own."""
    labels = _labels(run)
    curves = {name: thinned(points) for name, points in _curves(run).items() if name != SPEED}
    rows = [
        {"curve": labels[name], "step": step, "value": value}
        for name, points in curves.items()
        for step, value in points
    ]
    names = [labels[name] for name in _ordered(curves)]
    return {
        "$schema": SCHEMA,
        "data": {"name": "curves", "values": rows},
        "facet": {"field": "curve", "type": "nominal", "title": None, "sort": names},
        "columns": 2,
        "spec": {
            "width": WIDTH, "height": HEIGHT,
            "encoding": {
                "x": {
                    "field": "step", "type": "quantitative", "title": _("Step"), "scale": {"nice": False},
                    "axis": {"tickMinStep": 1, "format": ",d"},
                },
                "y": {"field": "value", "type": "quantitative", "title": None, "scale": {"zero": False}},
                "tooltip": [{"field": "step", "title": _("Step")}, {"field": "value", "format": ".4~f"}],
            },
            "layer": [
                {"mark": {"type": "line", "color": COLOUR, "strokeWidth": 2, "strokeJoin": "round"}},
                {"mark": {"type": "point", "color": COLOUR, "filled": True, "size": 14, "opacity": 1}},
            ],
        },
        # a panel has its own axis of steps: a shared one would also stand where the last row has no panel
        "resolve": {"scale": {"y": "independent"}, "axis": {"x": "independent"}},
    }  # fmt: skip


def table(run: TrainingRun) -> Table:
    """A row for each tune score, or for some steps of the loss where there is no score; the newest first."""
    curves, labels = _curves(run), _labels(run)
    names = [*_ordered({name: points for name, points in curves.items() if name != SPEED}), *(
        [SPEED] if SPEED in curves else []
    )]  # fmt: skip
    tuned = [curve.name for curve in run.curves.all() if curve.better]
    scored = next((curves[name] for name in tuned), curves.get(LOSS, []))
    steps = [step for step, _value in thinned(scored, MOST_ROWS)]
    rows = [(step, [_at(curves[name], step) for name in names]) for step in reversed(steps)]
    return Table([labels[name] for name in names], rows)


def thinned(points: Points, most: int = MOST_DRAWN) -> Points:
    """At most so many of the points, evenly, the last among them."""
    if len(points) <= most:
        return points
    return [points[round(place * (len(points) - 1) / (most - 1))] for place in range(most)]


def _curves(run: TrainingRun) -> dict[str, Points]:
    return {curve.name: list(zip(curve.steps, curve.values, strict=True)) for curve in run.curves.all()}


def _labels(run: TrainingRun) -> dict[str, str]:
    return {curve.name: curve_label(curve.name, curve.better) for curve in run.curves.all()}


def _ordered(curves: dict[str, Points]) -> list[str]:
    return sorted(curves, key=lambda name: (name != LOSS, name))


def _at(points: Points, step: int) -> str:
    """The newest value up to the step."""
    before = _upto(points, step)
    return next((number(value) for _step, value in before), "")


def _upto(points: Sequence[tuple[int, float]], step: int) -> Iterator[tuple[int, float]]:
    return (point for point in reversed(points) if point[0] <= step)
