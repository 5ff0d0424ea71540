"""The pages of human studies: the list, the plan with what it costs, and the page of each."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
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
from evaluation.human_studies.summary import workers_in
from evaluation.human_studies.workers import workers_of
from evaluation.models import HumanStudy
from foundation.errors import UserError


def human_study_of(request: Any, slug: str) -> HumanStudy:
    return get_object_or_404(request.study.human_studies.select_related("study", "direction"), slug=slug)


@require_safe
def study_human(request: Any, study: str) -> HttpResponse:
    found = list(request.study.human_studies.prefetch_related("campaigns", "systems"))
    progress = progress_of_all([campaign for one in found for campaign in one.campaigns.all()])
    rows = [{"one": one, **_progress([progress[c.pk] for c in one.campaigns.all()])} for one in found]
    context = {"rows": rows, "may_edit": request.study.can(request.user, Can.EDIT_STUDY), "presets": PLAN_TEMPLATES}
    return render(request, "evaluation/human_studies/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def human_new(request: Any, study: str) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    preset = PLAN_TEMPLATES.get(request.GET.get("preset", ""))
    return _planned(request, HumanStudyForm(data, study=request.study, preset=preset), None)


@require_http_methods(["GET", "HEAD", "POST"])
def human_edit(request: Any, study: str, human: str) -> HttpResponse:
    found = human_study_of(request, human)
    if found.state != HumanStudy.State.DRAFT:
        return redirect("human_study", study, human)
    data = request.POST if request.method == "POST" else None
    return _planned(request, HumanStudyForm(data, study=request.study, plan=found), found)


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
    found = human_study_of(request, human)
    return _do(request, found, lambda: open_human_study(human_study=found, by=request.user))


@require_POST
def human_close(request: Any, study: str, human: str) -> HttpResponse:
    found = human_study_of(request, human)
    return _do(request, found, lambda: close_human_study(human_study=found, by=request.user))


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
    found = human_study_of(request, human)
    form = AmendForm(request.POST, study=request.study)
    if form.is_valid():
        try:
            amend_human_study(human_study=found, by=request.user, **form.amendments())
            return redirect("human_study", study, human)
        except UserError as error:
            form.refuse(error)
    return _show(request, found, form, 422)


def _planned(request: Any, form: HumanStudyForm, plan: HumanStudy | None) -> HttpResponse:
    if form.is_bound and form.is_valid():
        try:
            made = plan_human_study(study=request.study, human_study=plan, by=request.user, **form.fields_given())
            return redirect("human_study", request.study.slug, made.slug)
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


def _do(request: Any, found: HumanStudy, act: Any) -> HttpResponse:
    try:
        act()
    except UserError as error:
        messages.error(request, str(error))
        return _show(request, human_study_of(request, found.slug), status=422)
    return redirect("human_study", request.study.slug, found.slug)


def _show(request: Any, found: HumanStudy, form: AmendForm | None = None, status: int = 200) -> HttpResponse:
    context = {
        "human": found,
        "may_edit": request.study.can(request.user, Can.EDIT_STUDY),
        "rules": rows_of(found),
        "crumbs": [{"url": reverse("study_human", args=[request.study.slug]), "label": _("Human studies")}],
        "amend": form or AmendForm(study=request.study, initial=amended(found)),
    }
    context |= _opened(found) if found.frozen else _draft(found)
    return render(request, "evaluation/human_studies/study.html", context, status=status)


def _draft(found: HumanStudy) -> dict[str, Any]:
    try:
        return {"preview": preview(found, list(found.systems.all()))}
    except UserError as error:
        return {"why": error.sentence}


def _opened(found: HumanStudy) -> dict[str, Any]:
    campaigns = list(found.campaigns.all())
    progress = progress_of_all(campaigns)
    workers = workers_of(found)
    out = exclusions_of(found, workers)
    return {
        "campaigns": [(campaign, progress[campaign.pk]) for campaign in campaigns],
        "workers": _workers(found, campaigns, workers_in(found, workers, out)),
        "departures": protocol_deviations(found),
        "compared": _compared(found, out, workers),
        **_progress(progress.values()),
    }


def _compared(found: HumanStudy, out: Any, workers: Any) -> list[tuple[Any, bool]]:
    """Each comparison and whether it shows a difference; nothing before the study closes, unless its plan says so."""
    if found.withholds:
        return []
    return [(one, one.differs(found.comparison["alpha"])) for one in main_comparison(found, out, workers)]


def _workers(found: HumanStudy, campaigns: list[Campaign], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows by the person's name, with the page of their work, of the ratings where there are any."""
    first = min(campaigns, key=lambda campaign: campaign.task_type != "rate")
    people = {
        str(person.pseudonym): person for person in Person.objects.filter(pseudonym__in=[row["person"] for row in rows])
    }
    shown = []
    for row in rows:
        who = people[row["person"]]
        url = reverse("campaign_worker", args=[found.study.slug, first.slug, who.pk])
        rater = reverse("human_rater", args=[found.study.slug, found.slug, who.pseudonym])
        by_hand = any(one["person"] == row["person"] for one in found.excluded)
        shown.append({**row, "label": str(who), "url": url, "rater": rater, "by_hand": by_hand})
    return sorted(shown, key=lambda row: row["label"])


def _progress(found: Any) -> dict[str, int]:
    rows = list(found)
    return {"done": sum(row.done for row in rows), "total": sum(row.total for row in rows)}
