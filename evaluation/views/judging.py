"""The pages of judges: language models that judge a study's outputs, and their bias cards."""

from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_safe

from accounts.permissions import Can
from accounts.telling import telling
from evaluation.actions.start_judging import start_judging
from evaluation.baselines import BASELINES
from evaluation.forms import JudgeForm
from evaluation.models import JudgeRun

FINDINGS = {
    "agreement": (
        gettext_noop("Agreement with people"),
        gettext_noop("Pearson's correlation with the mean judgement of an output"),
    ),
    "length": (
        gettext_noop("Length"),
        gettext_noop("Partial correlation with the output's length, given the people's mean: 0 without a bias"),
    ),
    "own": (
        gettext_noop("Its own outputs"),
        gettext_noop("How much further above the people it stands on outputs of its own model: 0 without a bias"),
    ),
    "position": (
        gettext_noop("Change of order"),
        gettext_noop("Share of pairs of which it prefers the other output when they change places: 0 without a bias"),
    ),
    "first": (
        gettext_noop("First place"),
        gettext_noop("Share of the wins of the output that stands first: 0.5 without a bias"),
    ),
    "offset": (
        gettext_noop("Offset"),
        gettext_noop("Its score minus the people's, in steps of the scale: 0 if it is calibrated"),
    ),
    "slope": (
        gettext_noop("Slope"),
        gettext_noop("How much the people's mean rises with its score: 1 if it is calibrated, less if it exaggerates"),
    ),
}  # fmt: skip
UNDEFINED = {
    why: why
    for why in (
        gettext_noop("people judged fewer than 10 of these outputs"), gettext_noop("one of the two does not vary"),
        gettext_noop("no system is known to be the judge's own model"), gettext_noop("only pairs have an order"),
        gettext_noop("pairs have no scale"), gettext_noop("there are fewer than 10 of them"),
    )
}  # fmt: skip


class Row(NamedTuple):
    """A finding as a page shows it; `why` it has no number, or ""."""

    label: str
    about: str
    found: dict[str, Any]
    why: str


@require_http_methods(["GET", "HEAD", "POST"])
def study_judges(request: Any, study: str) -> HttpResponse:
    """The judges of the study, and the form of a new one."""
    data = request.POST if request.method == "POST" else None
    form = JudgeForm(data, study=request.study)
    if form.is_bound and form.is_valid():
        with telling(form):
            run = start_judging(study=request.study, by=request.user, **form.cleaned_data)
            return redirect("judge_run", study=study, run=run.pk)
    context = {
        "form": form, "runs": request.study.judge_runs.select_related("job", "metric"),
        "may_run": request.study.can(request.user, Can.RUN_METRICS),
    }  # fmt: skip
    return render(request, "evaluation/judges/list.html", context, status=422 if form.is_bound else 200)


@require_safe
def judge_run(request: Any, study: str, run: int) -> HttpResponse:
    """A judge: its state, and its bias card when it is done."""
    one = get_object_or_404(request.study.judge_runs.select_related("job", "metric"), pk=run)
    context = {"run": one, "job": one.job, "findings": findings(one), "contrast": contrast(one)}
    return render(request, "evaluation/judges/run.html", context)


def findings(run: JudgeRun) -> list[Row]:
    """The bias card in words."""
    found = [(name, run.card[name]) for name in FINDINGS if name in run.card]
    return [_row(_(FINDINGS[name][0]), _(FINDINGS[name][1]), one) for name, one in found]


def contrast(run: JudgeRun) -> list[Row]:
    """The mean scores of degenerate outputs."""
    return [
        _row(_(BASELINES[name].label), "", one)
        for name, one in run.card.get("contrast", {}).items()
        if name in BASELINES
    ]


def _row(label: str, about: str, found: dict[str, Any]) -> Row:
    return Row(label, about, found, _(UNDEFINED[found["undefined"]]) if found["undefined"] else "")
