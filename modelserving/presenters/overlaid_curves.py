"""The curves of several trainings over one another, as a chart in Vega-Lite: a panel a curve, a line a training."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from modelserving.models import TrainingRun
from modelserving.presenters.charts import HEIGHT, SCHEMA, WIDTH, thinned
from modelserving.presenters.labels import curve_label
from modelserving.presenters.progress import LOSS, SPEED

# Okabe and Ito's, without the yellow and the black, of which one is not seen on light and the other not on dark.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
DASHES = ([1, 0], [6, 3], [2, 2])  # a line is told by its dashes too, so that colour is never the only sign


def overlaid_chart(runs: Sequence[TrainingRun]) -> dict[str, Any]:
    """A panel for each loss and tune score of any of the trainings."""
    curves = [(run, curve) for run in runs for curve in run.curves.all() if curve.name != SPEED]
    curves.sort(key=lambda one: (one[1].name != LOSS, one[1].name))
    labels = list(dict.fromkeys(curve_label(curve.name, curve.better) for _run, curve in curves))
    names = [run.name for run in runs]
    rows = [
        {"run": run.name, "curve": curve_label(curve.name, curve.better), "step": step, "value": value}
        for run, curve in curves
        for step, value in thinned(list(zip(curve.steps, curve.values, strict=True)))
    ]
    look = [COLOURS[place % len(COLOURS)] for place in range(len(names))]
    dashes = [DASHES[place // len(COLOURS) % len(DASHES)] for place in range(len(names))]
    legend = {"orient": "top", "title": None, "columns": 2, "labelLimit": 300}
    return {
        "$schema": SCHEMA,
        "data": {"name": "curves", "values": rows},
        "facet": {"field": "curve", "type": "nominal", "title": None, "sort": labels},
        "columns": 2,
        "spec": {
            "width": WIDTH, "height": HEIGHT,
            "mark": {"type": "line", "strokeWidth": 2, "strokeJoin": "round", "point": {"size": 14}},
            "encoding": {
                "x": {
                    "field": "step", "type": "quantitative", "title": _("Step"), "scale": {"nice": False},
                    "axis": {"tickMinStep": 1, "format": ",d"},
                },
                "y": {"field": "value", "type": "quantitative", "title": None, "scale": {"zero": False}},
                "color": {"field": "run", "type": "nominal", "sort": names, "legend": legend,
                          "scale": {"domain": names, "range": look}},
                "strokeDash": {"field": "run", "type": "nominal", "sort": names, "legend": legend,
                               "scale": {"domain": names, "range": dashes}},
                "tooltip": [{"field": "run", "title": _("Training")}, {"field": "step", "title": _("Step")},
                            {"field": "value", "format": ".4~f"}],
            },
        },
        "resolve": {"scale": {"y": "independent"}, "axis": {"x": "independent"}},
    }  # fmt: skip
