"""The pages of human studies: the list, the plan with what it costs, and the page of each."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Person
from accounts.permissions import Can
from annotation.models import Campaign
from annotation.progress.counts import progress_of_all
from corpora.views.trash import tell_removed
from evaluation.actions.amend_human_study import amend_human_study
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.delete_human_study import delete_human_study
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import as_planned, plan_human_study
from evaluation.forms.amend import AmendForm, amended
from evaluation.forms.human import HumanStudyForm
from evaluation.human_studies.exclusions import exclusions_of
from evaluation.human_studies.main_comparison import main_comparison
from evaluation.human_studies.plan_description import rows_of
from evaluation.human_studies.plan_templates import PLAN_TEMPLATES
from evaluation.human_studies.preview import preview
from evaluation.human_studies.protocol_deviations import protocol_deviations
from evaluation.human_studies.requested import human_study_of
from evaluation.human_studies.summary import workers_in
from evaluation.human_studies.workers import workers_of
from evaluation.models import HumanStudy
from foundation.errors import UserError


@require_safe
def study_human(request: Any, study: str) -> HttpResponse:
    human_studies = list(request.study.human_studies.prefetch_related("campaigns", "systems"))
    progress = progress_of_all([campaign for human_study in human_studies for campaign in human_study.campaigns.all()])
    rows = [
        {"human": human_study, **_progress([progress[c.pk] for c in human_study.campaigns.all()])}
        for human_study in human_studies
    ]
    context = {"rows": rows, "may_edit": request.study.can(request.user, Can.EDIT_STUDY), "presets": PLAN_TEMPLATES}
    return render(request, "evaluation/human_studies/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def human_new(request: Any, study: str) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    preset = PLAN_TEMPLATES.get(request.GET.get("preset", ""))
    return _planned(request, HumanStudyForm(data, study=request.study, preset=preset), None)


@require_http_methods(["GET", "HEAD", "POST"])
def human_edit(request: Any, study: str, human: str) -> HttpResponse:
    human_study = human_study_of(request, human)
    if human_study.state != HumanStudy.State.DRAFT:
        return redirect("human_study", study, human)
    data = request.POST if request.method == "POST" else None
    return _planned(request, HumanStudyForm(data, study=request.study, plan=human_study), human_study)


@require_POST
def human_preview(request: Any, study: str) -> HttpResponse:
    """What the plan in the form would come to, or what is lacking in it."""
    data = request.POST.copy()
    data["name"] = data.get("name", "").strip() or _("Human study")  # what it costs hangs on no name
    form = HumanStudyForm(data, study=request.study)
    context: dict[str, Any] = {"live": True}
    if form.is_valid():
        try:
            given = form.fields_given()
            context["preview"] = preview(*as_planned(study=request.study, **given))
        except UserError as error:
            context["why"] = error.sentence
    else:
        context["why"] = _("Something in the form is lacking or wrong; it is named when you save.")
    return render(request, "evaluation/human_studies/_preview.html", context)


@require_safe
def human_study(request: Any, study: str, human: str) -> HttpResponse:
    return _show(request, human_study_of(request, human))


@require_POST
def human_open(request: Any, study: str, human: str) -> HttpResponse:
    human_study = human_study_of(request, human)
    return _do(request, human_study, lambda: open_human_study(human_study=human_study, by=request.user))


@require_POST
def human_close(request: Any, study: str, human: str) -> HttpResponse:
    human_study = human_study_of(request, human)
    return _do(request, human_study, lambda: close_human_study(human_study=human_study, by=request.user))


@require_POST
def human_delete(request: Any, study: str, human: str) -> HttpResponse:
    try:
        tell_removed(request, delete_human_study(human_study=human_study_of(request, human), by=request.user))
    except UserError as error:
        messages.error(request, str(error))
        return redirect("human_study", study, human)
    return redirect("study_human", study)


@require_POST
def human_amend(request: Any, study: str, human: str) -> HttpResponse:
    human_study = human_study_of(request, human)
    form = AmendForm(request.POST, study=request.study)
    if form.is_valid():
        try:
            amend_human_study(human_study=human_study, by=request.user, **form.amendments())
            return redirect("human_study", study, human)
        except UserError as error:
            form.refuse(error)
    return _show(request, human_study, form, 422)


def _planned(request: Any, form: HumanStudyForm, plan: HumanStudy | None) -> HttpResponse:
    if form.is_bound and form.is_valid():
        try:
            planned = plan_human_study(study=request.study, human_study=plan, by=request.user, **form.fields_given())
            return redirect("human_study", request.study.slug, planned.slug)
        except UserError as error:
            form.refuse(error)
    crumbs = [{"url": reverse("study_human", args=[request.study.slug]), "label": _("Human studies")}]
    context = {
        "form": form,
        "plan": plan,
        "crumbs": crumbs,
        "presets": PLAN_TEMPLATES,
        "preset": request.GET.get("preset"),
    }
    return render(request, "evaluation/human_studies/plan.html", context, status=422 if form.is_bound else 200)


def _do(request: Any, human_study: HumanStudy, act: Any) -> HttpResponse:
    try:
        act()
    except UserError as error:
        messages.error(request, str(error))
        return _show(request, human_study_of(request, human_study.slug), status=422)
    return redirect("human_study", request.study.slug, human_study.slug)


def _show(request: Any, human_study: HumanStudy, form: AmendForm | None = None, status: int = 200) -> HttpResponse:
    context = {
        "human": human_study,
        "may_edit": request.study.can(request.user, Can.EDIT_STUDY),
        "rules": rows_of(human_study),
        "crumbs": [{"url": reverse("study_human", args=[request.study.slug]), "label": _("Human studies")}],
        "amend": form or AmendForm(study=request.study, initial=amended(human_study)),
    }
    context |= _opened(human_study) if human_study.frozen else _draft(human_study)
    return render(request, "evaluation/human_studies/study.html", context, status=status)


def _draft(human_study: HumanStudy) -> dict[str, Any]:
    try:
        return {"preview": preview(human_study, list(human_study.systems.all()))}
    except UserError as error:
        return {"why": error.sentence}


def _opened(human_study: HumanStudy) -> dict[str, Any]:
    campaigns = list(human_study.campaigns.all())
    progress = progress_of_all(campaigns)
    workers = workers_of(human_study)
    out = exclusions_of(human_study, workers)
    return {
        "campaigns": [(campaign, progress[campaign.pk]) for campaign in campaigns],
        "workers": _workers(human_study, campaigns, workers_in(human_study, workers, out)),
        "departures": protocol_deviations(human_study),
        "compared": _compared(human_study, out, workers),
        **_progress(progress.values()),
    }


def _compared(human_study: HumanStudy, out: Any, workers: Any) -> list[tuple[Any, bool]]:
    """Each comparison and whether it shows a difference; nothing before the study closes, unless its plan says so."""
    if human_study.withholds:
        return []
    return [
        (comparison, comparison.differs(human_study.comparison["alpha"]))
        for comparison in main_comparison(human_study, out, workers)
    ]


def _workers(human_study: HumanStudy, campaigns: list[Campaign], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows by the person's name, with the page of their work, of the ratings where there are any."""
    first = min(campaigns, key=lambda campaign: campaign.task_type != "rate")
    people = {
        str(person.pseudonym): person for person in Person.objects.filter(pseudonym__in=[row["person"] for row in rows])
    }
    shown = []
    for row in rows:
        who = people[row["person"]]
        url = reverse("campaign_worker", args=[human_study.study.slug, first.slug, who.pk])
        rater = reverse("human_rater", args=[human_study.study.slug, human_study.slug, who.pseudonym])
        by_hand = any(exclusion["person"] == row["person"] for exclusion in human_study.excluded)
        shown.append({**row, "label": str(who), "url": url, "rater": rater, "by_hand": by_hand})
    return sorted(shown, key=lambda row: row["label"])


def _progress(campaign_progress: Any) -> dict[str, int]:
    rows = list(campaign_progress)
    return {"done": sum(row.done for row in rows), "total": sum(row.total for row in rows)}
