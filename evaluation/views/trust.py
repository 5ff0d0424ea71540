"""The pages on trust in metrics: the ranking, the baselines that fool each, the plot of one, and the correlations."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.models import Report
from evaluation.statistics import Coefficient, of_kind
from evaluation.table_parts.aspects import agrees_best
from evaluation.table_parts.contents import DASH, Cell, p_text
from evaluation.views.claims import (
    axis_of,
    beside,
    caveats,
    fooled,
    fooled_by,
    leaks,
    ranked,
    seen_by,
    trusted,
    turned_round,
)
from evaluation.views.criterion_words import criterion_in_sentence
from evaluation.views.localized_numbers import localized, number_cell
from evaluation.views.report_state import freshness, report_of
from evaluation.views.table_words import said_metric
from evaluation.views.tables_and_figures import shown

# The correlations of one level and coefficient: metrics by criteria, each with its interval.

LEVELS = ("sentence", "system")
COEFFICIENT = "pearson"  # the one that is shown first
EDGE = 60  # half the width of the little picture of an interval; its middle is zero


Places = tuple[float | None, float | None, float | None]
"""Of a value and the ends of its interval in the little picture."""


def matrix(
    report: dict[str, Any], level: str, coefficient: str
) -> tuple[list[str], list[tuple[str, list[tuple[str, Cell, Places]]]]]:
    """The criteria, and for each metric its label and, by criterion, its correlation and where that is drawn."""
    chosen = [
        correlation
        for correlation in report["correlations"]
        if (correlation["level"], correlation["coefficient"]) == (level, coefficient)
    ]
    criteria = list(dict.fromkeys(correlation["criterion"] for correlation in chosen))
    by_metric: dict[str, dict[str, tuple[Cell, Places]]] = {}
    for one in chosen:
        cell = number_cell(one, p_text(one["p"]), f"n = {one['n']}")
        places = _place(one["value"]), _place(one["low"]), _place(one["high"])
        by_metric.setdefault(one["metric"], {})[one["criterion"]] = cell, places
    none = Cell(DASH), (None, None, None)  # a metric and a criterion of two directions have no correlation
    return criteria, [
        (said_metric(name), [(criterion, *found.get(criterion, none)) for criterion in criteria])
        for name, found in by_metric.items()
    ]


def reasons(rows: list[tuple[str, list[tuple[str, Cell, Places]]]]) -> Iterator[tuple[str, str]]:
    """Why a value or an interval is lacking: the reason, and the pairs that it holds for."""
    pairs_of: dict[str, list[str]] = {}
    for label, fields in rows:
        for criterion, cell, _places in fields:
            if cell.why:
                pairs_of.setdefault(cell.why, []).append(f"{label} × {criterion_in_sentence(criterion)}")
    for why, pairs in pairs_of.items():
        yield ", ".join(pairs), why


def _place(value: float | None) -> float | None:
    return None if value is None else round(EDGE + value * (EDGE - 4), 1)


STEPS = 10  # of shade, from no agreement to full agreement
Json = Mapping[str, Any]


@dataclass(frozen=True)
class MetricRow:
    """A metric with its agreements, in the order of the criteria, and what fools it.

    The best are metrics of the first group that are shown to agree.
    """

    label: str
    agreements: list[Cell]
    fooled: list[str]

    @property
    def shades(self) -> list[tuple[Cell, int]]:
        """The agreements, each with its shade, which counts from 0; a negative agreement has none."""
        return [(cell, max(0, min(STEPS - 1, int((cell.value or 0) * STEPS)))) for cell in self.agreements]

    @property
    def mean(self) -> float:
        """The mean of the existing agreements; below all others where there is none."""
        values = [cell.value for cell in self.agreements if cell.value is not None]
        return sum(values) / len(values) if values else -2.0


def trust_matrix(trust: Json, level: str) -> list[MetricRow]:
    """A row a metric, the one that agrees best on average first."""
    by_metric: dict[str, dict[str, Cell]] = {}
    for criterion, levels in trust["criteria"].items():
        for row in levels[level]:
            by_metric.setdefault(row["metric"], {})[criterion] = replace(number_cell(row), best=agrees_best(row))
    fooled, none = fooled_by(trust["foils"]), Cell(DASH)
    rows = [
        MetricRow(
            said_metric(metric),
            [found.get(criterion, none) for criterion in trust["criteria"]],
            fooled.get(metric, []),
        )
        for metric, found in by_metric.items()
    ]
    return sorted(rows, key=lambda row: -row.mean)


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

    Marks, line and correlations are of the same systems. Texts judged beside them (the source, a reference) are no
    points of a correlation, and so none here.
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
            system["name"] in humans,
            _tip(system["name"], (said_metric(metric), score), (criterion_in_sentence(criterion), mean["mean"])),
        )
        for system, score, mean in zip(here, scores, means, strict=True)
    ]  # fmt: skip
    return Plot(
        metric, criterion, said_metric(metric), _labelled(marks), x.ticks(), y.ticks(), _fit(marks), left_out,
        [correlation for correlation in report["correlations"]
         if (correlation["metric"], correlation["criterion"], correlation["level"]) == (metric, criterion, "system")],
    )  # fmt: skip


def _sorted_out(systems: Any, metric: str, criterion: str) -> tuple[list[Any], list[tuple[str, str]]]:
    here, left_out = [], []
    for system in systems:
        if system.get("role", "system") != "system":
            left_out.append((system["name"], _("it was judged beside the systems, and no metric is compared with it.")))
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
    """The places right, left, then further up and down on both sides; the label covers the box."""
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


@require_safe
def study_trust(request: Any, study: str) -> HttpResponse:
    """The whole page; htmx asks for a part of it, named by its target."""
    parts = {"plot": ("evaluation/_plot.html", _plot), "correlations": ("evaluation/_correlations.html", _correlations)}
    report = report_of(request)
    if request.htmx and request.htmx.target in parts:
        template, context_of = parts[request.htmx.target]
        return render(request, template, context_of(request, _there(report)))
    context = freshness(request, report)
    if report is not None and "trust" in report.content:
        context |= _rankings(request, report) | _foils(report)
        context |= _plot(request, report) | _correlations(request, report)
    return render(request, "evaluation/trust.html", context)


def _there(report: Report | None) -> Report:
    if report is None:
        raise Http404(_("There is no report yet."))
    return report


def _chosen(request: Any, name: str, among: list[str]) -> str:
    """The parameter where it is one of these, else the first."""
    asked = request.GET.get(name, "")
    return asked if asked in among else among[0]


def _level(request: Any) -> dict[str, Any]:
    return {
        "level": _chosen(request, "level", [*LEVELS]),
        "levels": [("sentence", _("By sentence")), ("system", _("By system"))],
    }


def _rankings(request: Any, report: Report) -> dict[str, Any]:
    trust, level = report.content["trust"], _level(request)["level"]
    axis = axis_of(trust, level)
    rankings = [
        {
            "criterion": criterion_in_sentence(name),
            "claim": trusted(name, criterion_trust, level),
            "caveats": caveats(criterion_trust, level),
            "leaks": leaks(name, criterion_trust) if level == "sentence" else [],
            "turned_round": turned_round(criterion_trust) if level == "system" else "",
            "rows": list(ranked(criterion_trust, level, axis, trust["foils"])),
            "beside": beside(criterion_trust, level, axis),
        }
        for name, criterion_trust in trust["criteria"].items()
    ]
    matrix, variant = trust_matrix(trust, level), report.content["variant"]
    return {"rankings": rankings, "matrix": matrix, "axis": axis, "trust": trust, "variant": variant}


def _foils(report: Report) -> dict[str, Any]:
    scored = [foil for foil in report.content["trust"]["foils"] if foil["metrics"]]
    said = [(foil, *fooled(foil)) for foil in scored]
    contrast = report.content["trust"].get("contrast") or {"families": [], "metrics": {}}
    return {
        "baselines": said,
        "baselines_table": shown(report, "foils"),
        "families": [(family, *seen_by(family["name"], contrast["metrics"])) for family in contrast["families"]],
        "contrast_table": shown(report, "contrast"),
    }


def _plot(request: Any, report: Report) -> dict[str, Any]:
    systems = report.content["systems"]
    metrics = list(systems[0]["metrics"]) if systems else []
    criteria = list(systems[0]["human"]) if systems else []
    if not metrics or not criteria:
        return {"plot": None, "plot_metrics": [], "plot_criteria": []}
    metric, criterion = _chosen(request, "metric", metrics), _chosen(request, "criterion", criteria)
    humans = [system["name"] for system in systems if system["is_human"]]
    return {
        "plot": plot_of(report.content, metric, criterion, humans),
        "plot_metric": metric,
        "plot_criterion": criterion,
        "plot_metrics": [(name, said_metric(name)) for name in metrics],
        "plot_criteria": criteria,
    }


def _correlations(request: Any, report: Report) -> dict[str, Any]:
    labels = {name: _(method.label) for name, method in of_kind(Coefficient).items()}
    coefficients = sorted(labels, key=lambda name: (name != COEFFICIENT, name != "spearman", name))
    shown_level, coefficient = _level(request), _chosen(request, "coefficient", coefficients)
    criteria, rows = matrix(report.content, shown_level["level"], coefficient)
    return {
        **shown_level,
        "coefficient": coefficient,
        "coefficient_asked": "coefficient" in request.GET,
        "coefficient_label": labels[coefficient],
        "coefficients": [(name, labels[name]) for name in coefficients],
        "matrix_criteria": criteria,
        "matrix_rows": rows,
        "matrix_reasons": list(reasons(rows)),
    }
