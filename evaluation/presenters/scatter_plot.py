"""Where everything stands in the plot of a metric against people: plain geometry, drawn by a template."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from evaluation.comparability.better_ends import label_of_metric
from evaluation.presenters.localized_numbers import localized

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 28, 44, 62
LETTER, LINE = 9.5, 20  # the most that a label takes, per letter and in height (on a phone letters are larger)
LONGEST = 26


@dataclass(frozen=True)
class Mark:
    """A system: its point, the ends of its interval, its label; `tip` has the numbers behind it."""

    name: str
    label: str
    x: float
    y: float
    top: float | None
    bottom: float | None
    is_human: bool
    tip: str = ""
    text_x: float = 0
    text_y: float = 0
    anchor: str = "start"


@dataclass(frozen=True)
class Plot:
    """All of it, in units of the picture. `fit` is the line of least squares; `left_out` lists systems and why.

    Marks, line and correlations are of the same systems: what was judged beside them (the source, a reference) is no
    point of a correlation, and so none here.
    """

    metric: str
    criterion: str
    metric_label: str
    marks: list[Mark]
    x_ticks: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]
    fit: tuple[float, float, float, float] | None
    left_out: list[tuple[str, str]]
    correlations: list[dict[str, Any]]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM
    middle: float = field(default=(LEFT + WIDTH - RIGHT) / 2)


class Axis:
    """A range of values laid over a range of the picture, with round ticks."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        low, high = min(values), max(values)
        room = (high - low) * 0.08 or abs(high) * 0.1 or 1.0
        self.low, self.high, self.start, self.end = low - room, high + room, start, end

    def at(self, value: float) -> float:
        return round(self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start), 1)

    def ticks(self) -> list[tuple[float, str]]:
        step = _round_step((self.high - self.low) / 5)
        first = int(np.ceil(self.low / step))
        values = [number * step for number in range(first, int(np.floor(self.high / step)) + 1)]
        digits = max(0, -int(np.floor(np.log10(step) + 1e-9)))
        return [(self.at(value), localized(f"{value:.{digits}f}")) for value in values]


def plot_of(report: dict[str, Any], metric: str, criterion: str, humans: Sequence[str] = ()) -> Plot | None:
    """The plot; None where no system has both numbers. `humans` are the systems that are people."""
    here, left_out = _sorted_out(report["systems"], metric, criterion)
    if not here:
        return None
    means = [system["human"][criterion] for system in here]
    scores = [system["metrics"][metric]["score"] for system in here]
    x = Axis(scores, LEFT, WIDTH - RIGHT)
    y = Axis([value for mean in means for value in (mean["mean"], mean["low"], mean["high"]) if value is not None],
             HEIGHT - BOTTOM, TOP)  # fmt: skip
    marks = [
        Mark(
            system["name"], _short(system["name"]), x.at(score), y.at(mean["mean"]),
            None if mean["high"] is None else y.at(mean["high"]), None if mean["low"] is None else y.at(mean["low"]),
            system["name"] in humans, _tip(system["name"], (label_of_metric(metric), score), (criterion, mean["mean"])),
        )
        for system, score, mean in zip(here, scores, means, strict=True)
    ]  # fmt: skip
    return Plot(
        metric, criterion, label_of_metric(metric), _labelled(marks), x.ticks(), y.ticks(), _fit(marks), left_out,
        [correlation for correlation in report["correlations"]
         if (correlation["metric"], correlation["criterion"], correlation["level"]) == (metric, criterion, "system")],
    )  # fmt: skip


def _sorted_out(systems: Any, metric: str, criterion: str) -> tuple[list[Any], list[tuple[str, str]]]:
    here, left_out = [], []
    for system in systems:
        if system.get("role", "system") != "system":
            left_out.append((system["name"], _("it was judged beside the systems, and no metric is held against it.")))
            continue
        score, mean = system["metrics"][metric], system["human"][criterion]
        if score["score"] is None or mean["mean"] is None:
            left_out.append((system["name"], score["undefined"] if score["score"] is None else mean["undefined"]))
        else:
            here.append(system)
    return here, left_out


def _tip(name: str, *numbers: tuple[str, float]) -> str:
    """A line for the system and for each number, its name and a tabulator before it."""
    return "\n".join([f"\t{name}", *(f"{label}\t{localized(f'{value:.2f}')}" for label, value in numbers)])


def _round_step(rough: float) -> float:
    power = 10 ** np.floor(np.log10(rough))
    return float(next(step for step in (1, 2, 5, 10) if step * power >= rough) * power)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _fit(marks: list[Mark]) -> tuple[float, float, float, float] | None:
    """The line of least squares within the frame, where three points or more make one."""
    x, y = np.array([mark.x for mark in marks]), np.array([mark.y for mark in marks])
    if len(marks) < 3 or np.ptp(x) < 1:
        return None
    slope, height = np.polyfit(x, y, 1)
    ends = np.array([x.min(), x.max()])
    if abs(slope) > 1e-9:  # cut off where it leaves the frame, and not bent
        crossed = np.sort((np.array([TOP, HEIGHT - BOTTOM]) - height) / slope)
        ends = np.clip(ends, *crossed)
    left, right = (round(float(end), 1) for end in ends)
    first, last = (round(float(height), 1) for height in slope * ends + height)
    return left, first, right, last


def _labelled(marks: list[Mark]) -> list[Mark]:
    """Each label beside its point, at the first place where it covers no other label, point or interval."""
    taken = [_box(mark.x - 8, mark.y - 8, 16, 16) for mark in marks]
    taken += [_box(mark.x - 2, mark.top, 4, mark.bottom - mark.top) for mark in marks if mark.top and mark.bottom]
    done = []
    for mark in sorted(marks, key=lambda unlabelled: (unlabelled.y, unlabelled.x)):
        wide = len(mark.label) * LETTER
        best = min(_places(mark, wide), key=lambda place: _cost(place[3], taken))
        taken.append(best[3])
        done.append(Mark(**{**mark.__dict__, "text_x": best[0], "text_y": best[1], "anchor": best[2]}))
    return done


Box = tuple[float, float, float, float]


def _box(x: float, y: float, wide: float, high: float) -> Box:
    return x, y, x + wide, y + high


def _places(mark: Mark, wide: float) -> list[tuple[float, float, str, Box]]:
    """Right, left, then further up and down on both sides; the box is what the label covers."""
    places = []
    for shift in (5, -12, 22, -26, 38):
        y = round(mark.y + shift, 1)
        places.append((mark.x + 12, y, "start", _box(mark.x + 12, y - LINE + 4, wide, LINE)))
        places.append((mark.x - 12, y, "end", _box(mark.x - 12 - wide, y - LINE + 4, wide, LINE)))
    return places


def _cost(box: Box, taken: list[Box]) -> float:
    """How much is covered, and how far the label leaves the picture."""
    covered = sum(
        max(0.0, min(box[2], other[2]) - max(box[0], other[0]))
        * max(0.0, min(box[3], other[3]) - max(box[1], other[1]))
        for other in taken
    )
    outside = max(0.0, LEFT - box[0]) + max(0.0, box[2] - WIDTH + 4) + max(0.0, TOP - 10 - box[1])
    return covered + 100 * (outside + max(0.0, box[3] - HEIGHT + BOTTOM))
