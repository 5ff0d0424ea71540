"""The first page of a study's report, how it compares, and its files. Authorization sets `request.study`."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.telling import telling
from evaluation.actions.choose_report import choose_report
from evaluation.actions.start_metrics import start_metrics
from evaluation.comparability.order_of_boards import peoples_boards
from evaluation.forms import ReportChoiceForm
from evaluation.models import Report
from evaluation.rendering import forms_of
from evaluation.report_files import file_of_report
from evaluation.report_freshness import note_opened
from evaluation.views.claims import in_short, leading, trusted
from evaluation.views.report_state import freshness, report_of, unfinished_job
from evaluation.views.tables_and_figures import shown

ALPHA = "krippendorff_alpha"


@require_safe
def study_report(request: Any, study: str) -> HttpResponse:
    """The whole page; htmx asks how far the job is."""
    if request.htmx and request.htmx.target == "metrics-progress":
        return _progress(request)
    return _page(request, ReportChoiceForm(study=request.study))


@require_safe
def report_file(request: Any, study: str, form: str) -> HttpResponse:
    """The report as JSON, CSV, Markdown or LaTeX."""
    report = report_of(request)
    if report is None or form not in forms_of("report"):
        raise Http404(_("There is no such report."))
    return file_of_report(report, form)


@require_POST
def metrics_run(request: Any, study: str) -> HttpResponse:
    """Have the scores that are lacking, and the report, worked out."""
    with telling(request):
        start_metrics(study=request.study, by=request.user)
    return redirect("study_report", study=study)


@require_POST
def report_choose(request: Any, study: str) -> HttpResponse:
    """Choose how the report compares systems, and have it worked out anew where that is asked for."""
    form = ReportChoiceForm(request.POST, study=request.study)
    if form.is_valid():
        with telling(form):
            choose_report(study=request.study, by=request.user, **form.choice())
            if "run" in request.POST:
                start_metrics(study=request.study, by=request.user)
            return redirect("study_report", study=study)
    return _page(request, form, status=422)


def _page(request: Any, form: ReportChoiceForm, status: int = 200) -> HttpResponse:
    report = report_of(request)
    if report is not None:
        note_opened(request.session, report)
    context = {**freshness(request, report), "form": form, "files": forms_of("report")}
    if report is not None:
        context |= _content(report)
    return render(request, "evaluation/report.html", context, status=status)


def _content(report: Report) -> dict[str, Any]:
    """The content of the stored report; one of an earlier program has not all of it."""
    content = report.content
    systems, criteria = in_short(content)
    return {
        "short_systems": systems,
        "short": criteria,
        "leaderboard": shown(report, "leaderboard"),
        "leaderboard_figure": shown(report, "leaderboard_figure"),
        "compares": content.get("leaderboard"),
        "variant": content.get("variant"),
        "split": content.get("split", ""),
        "units": content.get("units", 0),
        "directions": content.get("directions", []),
        "lacking": any(row["missing"] for row in content.get("systems", []) if row["role"] == "system"),
        "leaders": _leaders(content.get("leaderboard")),
        "claims": _claims(content.get("trust")),
        "human_studies": content.get("human_studies", []),
        "left_out": content.get("raters", {}).get("left_out", []),
        "replaced": sum(content.get("replaced", {}).values()),
        "agreement": [entry for entry in content["agreement"] if entry["coefficient"] == ALPHA],
    }


def _leaders(boards: Any) -> list[str]:
    """A sentence for each board of people, the one that orders the systems first."""
    if boards is None:
        return []
    named = [(_("Combined") if of.kind == "combined" else of.name, of.board) for of in peoples_boards(boards)]
    return [said for name, board in named if (said := leading(name, board))]


def _claims(trust: Any) -> list[str]:
    """Which metric agrees best with people on each criterion, output by output."""
    if trust is None:
        return []
    return [
        trusted(name, criterion_trust, "sentence")
        for name, criterion_trust in trust["criteria"].items()
        if criterion_trust["sentence"]
    ]


def _progress(request: Any) -> HttpResponse:
    """How far the job is; once it is over the whole page is asked for again."""
    job = unfinished_job(request)
    if job is None:
        return HttpResponse(headers={"HX-Refresh": "true"})
    return render(request, "evaluation/_progress.html", {"job": job})
