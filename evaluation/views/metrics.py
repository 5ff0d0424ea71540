"""The page on which a study chooses its metrics."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.start_metrics import start_metrics
from evaluation.forms.metrics import MetricsForm
from evaluation.metric_selection.presets import PRESETS
from foundation.errors import UserError


@require_http_methods(["GET", "HEAD", "POST"])
def metrics_choose(request: Any, study: str) -> HttpResponse:
    """`?preset=` checks the boxes of a preset; nothing is chosen until the form is sent."""
    data, asked = request.POST if request.method == "POST" else None, request.GET.get("preset", "")
    form = MetricsForm(data, study=request.study, preset=PRESETS.get(asked))
    if form.is_bound and form.is_valid():
        try:
            choose_metrics(study=request.study, metrics=form.metrics())
            if "run" in request.POST:
                start_metrics(study=request.study, by=request.user)
            return redirect("study_report", study=study)
        except UserError as error:
            form.add_error(None, str(error))
    context = {
        "form": form,
        "presets": PRESETS,
        "asked": asked,
        "crumbs": [{"url": reverse("study_report", args=[study]), "label": _("Leaderboard")}],
    }
    return render(request, "evaluation/metrics.html", context, status=422 if form.is_bound else 200)
