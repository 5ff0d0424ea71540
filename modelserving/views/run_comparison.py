"""Trainings and transfer runs beside each other: curves over one another, and what they differ in."""

from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from foundation.errors import UserError
from modelserving.presenters.overlaid_curves import overlaid_chart
from modelserving.presenters.run_comparison import (
    MOST,
    compared_runs,
    fact_rows,
    option_rows,
    trainings_asked_for,
    transfers_asked_for,
)

MOST_LISTED = 100  # runs of each kind that the list of this page offers


@require_safe
def runs_compare(request: Any, study: str) -> HttpResponse:
    """The runs of the address, `?training=` and `?run=` each as often as wanted; `?all=1` shows equal rows too."""
    asked = {"training": request.GET.getlist("training"), "run": request.GET.getlist("run")}
    context: dict[str, Any] = {"asked": asked, "most": MOST, **_offered(request.study)}
    try:
        trainings = trainings_asked_for(request.study, asked["training"])
        transfers = transfers_asked_for(request.study, asked["run"])
        if len(trainings) + len(transfers) > MOST:
            raise UserError(_("Choose at most %(most)d runs.") % {"most": MOST})
    except UserError as error:
        return render(request, "modelserving/compare.html", {**context, "error": str(error)}, status=422)
    runs = compared_runs(trainings, transfers)
    rows = {"facts": fact_rows(runs), "options": option_rows(runs)}
    everything = request.GET.get("all") == "1" or len(runs) < 2
    context |= {
        "runs": runs,
        "with_curves": any(run.curves.all() for run in trainings),
        "curves": "&".join(f"training={run.pk}" for run in trainings),
        "equal": sum(not row.differs for of in rows.values() for row in of),
        "all_rows": everything,
        **{name: [row for row in of if everything or row.differs] for name, of in rows.items()},
    }
    return render(request, "modelserving/compare.html", context)


@require_safe
def runs_curves(request: Any, study: str) -> JsonResponse:
    """The curves over one another, as a Vega-Lite chart."""
    try:
        runs = trainings_asked_for(request.study, request.GET.getlist("training"))
    except UserError as error:
        return JsonResponse({"detail": str(error)}, status=422)
    return JsonResponse(overlaid_chart(runs))


def _offered(study: Any) -> dict[str, Any]:
    """What the list of the page offers: newest first."""
    transfers = study.transfer_runs.select_related("system").defer("signature", "usage")
    return {
        "trainings": study.trainings.only("pk", "name", "tags", "study_id")[:MOST_LISTED],
        "transfers": transfers[:MOST_LISTED],
    }
