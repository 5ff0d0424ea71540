"""A chart of parallel coordinates (Inselberg 1985): an axis for each option that varies and one for the tune score.

Each training with a score is a line, which crosses the axes at its values; the best is drawn last. The axis of a range
has its scale; an option with a list of values has them at equal distances. The better end of the score is at the top.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from modelserving.models import TrainingRun
from modelserving.option_search import LOG
from modelserving.presenters.labels import metric_label, precise, score_in_words, shown_value

STEP, LEFT, RIGHT, TOP, BOTTOM = 170, 70, 90, 64, 330  # of the picture, whose unit is about a pixel
HEIGHT = 360
MOST_NAMED = 8  # values of an axis


@dataclass(frozen=True)
class Axis:
    name: str
    x: int
    ticks: Sequence[tuple[float, str]]


@dataclass(frozen=True)
class Line:
    """A training: its points, and what is said of it."""

    points: str
    tip: str
    x: float
    y: float
    is_best: bool


@dataclass(frozen=True)
class ParallelCoordinates:
    axes: Sequence[Axis]
    lines: Sequence[Line]
    width: int
    height: int = HEIGHT
    top: int = TOP
    bottom: int = BOTTOM


Place = Callable[[Any], float]
"""Of a value on its axis: 0 is the lower end, 1 the upper."""


def parallel_coordinates(vary: Mapping[str, Any], ranked: Sequence[TrainingRun]) -> ParallelCoordinates | None:
    """The chart of the trainings, the best one first; None where none has a score and the options yet."""
    scored = [run for run in ranked if run.best and vary.keys() <= run.options.keys()]
    if not scored:
        return None
    places: list[tuple[str, Place, list[Any], Callable[[Any], str]]] = [
        (name, *_scale(given, [run.options.get(name) for run in scored]), shown_value) for name, given in vary.items()
    ]
    best, worst = _score(scored[0]), _score(scored[-1])
    score = metric_label(str((scored[0].best or {}).get("curve", "")))
    places.append((score, _linear(worst, best), sorted({worst, best}), precise))
    axes = [
        Axis(name, LEFT + STEP * at, [(round(_y(place(value)), 1), said(value)) for value in shown])
        for at, (name, place, shown, said) in enumerate(places)
    ]
    lines = [_line(run, [place for _name, place, _shown, _said in places], vary, run is scored[0]) for run in scored]
    return ParallelCoordinates(axes, lines[::-1], LEFT + STEP * (len(axes) - 1) + RIGHT)


def _line(run: TrainingRun, places: Sequence[Place], vary: Mapping[str, Any], is_best: bool) -> Line:
    values = [run.options.get(name) for name in vary]
    points = [
        (LEFT + STEP * at, round(_y(place(value)), 1))
        for at, (place, value) in enumerate(zip(places, [*values, _score(run)], strict=True))
    ]
    said = [(name, shown_value(value)) for name, value in zip(vary, values, strict=True)]
    tip = "\n".join(
        f"{name}\t{value}" for name, value in [("", run.name), (_("Score"), score_in_words(run.best)), *said]
    )
    return Line(" ".join(f"{x},{y}" for x, y in points), tip, *points[-1], is_best)


def _score(run: TrainingRun) -> float:
    return float(run.best["value"]) if run.best else math.nan


def _y(place: float) -> float:
    return BOTTOM - place * (BOTTOM - TOP)


def _scale(given: Any, values: Sequence[Any]) -> tuple[Place, list[Any]]:
    """The places of an option's values, and the values that are named on its axis."""
    if isinstance(given, Mapping):
        low, high = given["low"], given["high"]
        is_log = given.get("scale") == LOG
        middle = float(f"{math.sqrt(low * high) if is_log else (low + high) / 2:.2g}")
        if all(type(value) is int for value in values):
            middle = round(middle)
        shown = [low, middle, high] if low < middle < high else [low, high]
        if not is_log:
            return _linear(low, high), shown
        straight = _linear(math.log(low), math.log(high))
        return (lambda value: straight(math.log(value))), shown
    listed = sorted(given) if all(type(value) in (int, float) for value in given) else list(given)
    last = max(1, len(listed) - 1)
    every = math.ceil(len(listed) / MOST_NAMED)
    return (lambda value: listed.index(value) / last if value in listed else 0.5), listed[::every]


def _linear(low: float, high: float) -> Place:
    if low == high:
        return lambda value: 0.5
    return lambda value: (value - low) / (high - low)
