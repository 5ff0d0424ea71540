"""The report page of a study, its plot, and its files. The gate leaves the study at `request.study`."""

from types import SimpleNamespace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.permissions import Can
from evaluation.actions.start_metrics import UNFINISHED, start_metrics
from evaluation.matrix import FIRST, LEVELS, matrix, reasons
from evaluation.metrics import METRICS
from evaluation.models import Report
from evaluation.plotting import plot_of
from evaluation.rendering import RENDERERS, Whole, forms_of
from evaluation.state import state_key
from evaluation.statistics import STATISTICS, Coefficient, of_kind
from evaluation.tables import TABLES
from foundation.errors import UserError


@require_safe
def study_report(request: Any, study: str) -> HttpResponse:
    """The whole page; htmx asks for a part of it, named by its target."""
    parts = {"plot": _plot, "correlations": _correlations, "metrics-progress": _progress}
    part = parts.get(request.htmx.target or "") if request.htmx else None
    return part(request) if part else _page(request)


@require_safe
def report_file(request: Any, study: str, form: str) -> HttpResponse:
    """The report as JSON, CSV, Markdown or LaTeX."""
    report = Report.objects.filter(study=request.study).first()
    if report is None or form not in forms_of("report"):
        raise Http404(_("There is no such report."))
    return file_of(report, form)


def file_of(report: Report, form: str) -> HttpResponse:
    """An answer that a browser stores."""
    renderer = RENDERERS[form]
    name = f"{report.study.slug}-report.{renderer.ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    made = renderer.report(Whole(report.content, report.exhibits))
    return HttpResponse(made, content_type=renderer.content_type, headers=headers)


@require_POST
def metrics_run(request: Any, study: str) -> HttpResponse:
    """Have the scores that are lacking, and the report, worked out."""
    try:
        start_metrics(study=request.study, by=request.user)
    except UserError as error:
        messages.error(request, str(error))
    return redirect("study_report", study=study)


def _page(request: Any) -> HttpResponse:
    study = request.study
    report = Report.objects.filter(study=study).first()
    context = {
        "report": report,
        "job": _job(request),
        "last_job": _last_job(request),
        "choices": [(METRICS[choice.metric], choice) for choice in study.metric_choices.all()],
        "has_systems": study.systems.exists(),
        "may_run": study.can(request.user, Can.RUN_METRICS),
        "may_edit": study.can(request.user, Can.EDIT_STUDY),
        "renderers": forms_of("report"),
    }
    if report is not None:
        context |= {"stale": report.key != state_key(study), "tables": _tables(report)}
        context |= _plot_context(request, report) | _correlation_context(request, report)
    return render(request, "evaluation/report.html", context)


def _tables(report: Report) -> dict[str, Any]:
    return {name: TABLES[name].make(SimpleNamespace(report=report.content)) for name in ("systems", "agreement")}


def _plot(request: Any) -> HttpResponse:
    return render(request, "evaluation/_plot.html", _plot_context(request, _report(request)))


def _correlations(request: Any) -> HttpResponse:
    return render(request, "evaluation/_correlations.html", _correlation_context(request, _report(request)))


def _progress(request: Any) -> HttpResponse:
    """How far the job is; once it is over the whole page is asked for again."""
    job = _job(request)
    if job is None:
        return HttpResponse(headers={"HX-Refresh": "true"})
    return render(request, "evaluation/_progress.html", {"job": job})


def _report(request: HttpRequest) -> Report:
    report = Report.objects.filter(study=request.study).first()
    if report is None:
        raise Http404(_("There is no report yet."))
    return report


def _job(request: Any) -> Any:
    run = request.study.metric_runs.select_related("job").filter(job__state__in=UNFINISHED).first()
    return run.job if run else None


def _last_job(request: Any) -> Any:
    run = request.study.metric_runs.select_related("job").first()
    return run.job if run else None


def _chosen(request: Any, name: str, among: list[str]) -> str:
    """The parameter where it is one of these, else the first."""
    asked = request.GET.get(name, "")
    return asked if asked in among else among[0]


def _plot_context(request: Any, report: Report) -> dict[str, Any]:
    systems = report.content["systems"]
    metrics = list(systems[0]["metrics"]) if systems else []
    criteria = list(systems[0]["human"]) if systems else []
    if not metrics or not criteria:
        return {"plot": None, "plot_metrics": [], "plot_criteria": []}
    metric, criterion = _chosen(request, "metric", metrics), _chosen(request, "criterion", criteria)
    humans = list(request.study.systems.filter(is_human=True).values_list("name", flat=True))
    return {
        "plot": plot_of(report.content, metric, criterion, humans),
        "plot_metric": metric,
        "plot_criterion": criterion,
        "plot_metrics": [(name, METRICS[name].label) for name in metrics],
        "plot_criteria": criteria,
        "coefficient_labels": {name: one.label for name, one in of_kind(Coefficient).items()},
    }


def _correlation_context(request: Any, report: Report) -> dict[str, Any]:
    coefficients = sorted(of_kind(Coefficient), key=lambda name: (name != FIRST[1], name != "spearman", name))
    level = _chosen(request, "level", [FIRST[0], *LEVELS])
    coefficient = _chosen(request, "coefficient", coefficients)
    criteria, rows = matrix(report.content, level, coefficient)
    return {
        "level": level,
        "coefficient": coefficient,
        "coefficient_label": STATISTICS[coefficient].label,
        "levels": [("system", _("By system")), ("sentence", _("By sentence"))],
        "coefficients": [(name, STATISTICS[name].label) for name in coefficients],
        "matrix_criteria": criteria,
        "matrix_rows": rows,
        "matrix_reasons": list(reasons(rows)),
    }
