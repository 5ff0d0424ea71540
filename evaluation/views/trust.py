"""Which metric to trust here: the ranking, what fools each, the plot of one metric, and the correlations."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.comparability.better_ends import label_of_metric
from evaluation.models import Report
from evaluation.presenters.correlation_matrix import COEFFICIENT, LEVELS, matrix, reasons
from evaluation.presenters.metric_ranking import axis_of, ranked
from evaluation.presenters.report_claims import caveats, fooled, trusted
from evaluation.presenters.report_freshness import freshness, report_of
from evaluation.presenters.scatter_plot import plot_of
from evaluation.presenters.tables_and_figures import shown
from evaluation.presenters.trust_matrix import trust_matrix
from evaluation.statistics import Coefficient, of_kind


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
            "criterion": name,
            "claim": trusted(name, criterion_trust, level),
            "caveats": caveats(criterion_trust, level),
            "rows": list(ranked(criterion_trust, level, axis, trust["foils"])),
        }
        for name, criterion_trust in trust["criteria"].items()
    ]
    matrix, variant = trust_matrix(trust, level), report.content["variant"]
    return {"rankings": rankings, "matrix": matrix, "axis": axis, "trust": trust, "variant": variant}


def _foils(report: Report) -> dict[str, Any]:
    scored = [foil for foil in report.content["trust"]["foils"] if foil["metrics"]]
    said = [(foil, *fooled(foil)) for foil in scored]
    return {"baselines": said, "baselines_table": shown(report, "foils")}


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
        "plot_metrics": [(name, label_of_metric(name)) for name in metrics],
        "plot_criteria": criteria,
    }


def _correlations(request: Any, report: Report) -> dict[str, Any]:
    labels = {name: method.label for name, method in of_kind(Coefficient).items()}
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
