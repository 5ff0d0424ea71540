"""The pages of human studies: the list, the plan with its cost, and the page of each."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Person
from accounts.permissions import Can
from accounts.telling import telling
from annotation.eligibility_rules import ELIGIBILITY_RULES
from annotation.forms.criteria import BESIDE
from annotation.models import Campaign
from annotation.progress.counts import progress_of_all
from annotation.scales import SCALES
from corpora.views.trash import tell_removed
from evaluation.actions.amend_human_study import amend_human_study
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.delete_human_study import delete_human_study
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import as_planned, plan_human_study
from evaluation.actions.repeat_human_study import repeat_human_study
from evaluation.attention_checks import ATTENTION_CHECKS
from evaluation.forms import AmendForm, HumanStudyForm, amended
from evaluation.human_studies.fields import ANY, BETTING, NO_CORRECTION
from evaluation.human_studies.heds import heds
from evaluation.human_studies.main_comparison import main_comparison
from evaluation.human_studies.plan_templates import PLAN_TEMPLATES
from evaluation.human_studies.plan_validation import exclusion_in_words, seconds_per_judgement
from evaluation.human_studies.preregistration import decision_of, plain_rules, protocol_deviations, workers_in
from evaluation.human_studies.preview import Superseded, preview
from evaluation.human_studies.repeated import beside_the_first
from evaluation.human_studies.requested import human_study_of
from evaluation.human_studies.workers import exclusions_of, workers_of
from evaluation.imported_metrics import metric_of
from evaluation.models import HumanStudy
from evaluation.statistics import STATISTICS
from evaluation.views.newest_request import newest_request
from foundation.downloads import as_attachment
from foundation.errors import UserError
from foundation.translation import isolated


def rows_of(human_study: HumanStudy) -> list[tuple[str, str]]:
    """(name, value), in the order in which a plan is read; "" where nothing is asked."""
    frozen = human_study.frozen
    plan = frozen["rules"] if frozen else plain_rules(human_study)
    direction = isolated(human_study.direction.name) if human_study.direction else _("all")
    systems = plan["systems"] if frozen else [system.name for system in human_study.systems.all()]
    return [
        (_("Direction"), direction),
        (_("Splits"), _(", ").join(plan["splits"]) or _("all")),
        (_("Judged"), _(", ").join([*map(isolated, systems), *_beside(plan)])),
        (_("Sentences"), _sentences(plan)),
        (_("Criteria"), _("; ").join(_criterion(criterion) for criterion in plan["criteria"])),
        (_("Additional questions"), _(", ").join(_further(plan))),
        (_("People per output"), str(plan["judgements"])),
        (_("Outputs on a page"), str(plan["outputs_per_item"] or _("all of a source"))),
        (_("Attention checks"), _controls(plan)),
        (_("Annotators"), _crew(plan["crew"])),
        (
            _("Exclusion rules"),
            _bounds(plan["exclusions"]),
        ),
        (_("Main comparison"), _comparison(plan["comparison"])),
        (_("Shown while it is open"), _shown(plan.get("shows_comparison", False))),
        (_("Guideline"), _as_written(plan.get("guideline", "").strip())),
        (_("Time and pay"), _cost(plan.get("costs", {})) or _("as measured in the study's answers; no pay")),
    ]


def _as_written(text: str) -> str:
    """A text that people wrote, in its own direction."""
    return format_html("<bdi>{}</bdi>", text) if text else _("none")


def _beside(plan: dict[str, Any]) -> list[str]:
    return [_("the source")] * plan["rate_source"] + [_("a human reference")] * plan["rate_reference"]


def _further(plan: dict[str, Any]) -> list[str]:
    return [_("a ranking of all")] * plan["ranks"] + [_("the best and the worst")] * plan["best_worst"]


def _sentences(plan: dict[str, Any]) -> str:
    said = str(HumanStudy.Sampling(plan["sampling"]).label)
    if plan["sampling"] == HumanStudy.Sampling.ALL:
        return said
    return _("%(what)s: %(size)d of them, seed %(seed)d") % {"what": said, "size": plan["size"], "seed": plan["seed"]}


def _criterion(criterion: dict[str, Any]) -> str:
    name, scale = criterion.get("label") or criterion["name"], criterion["scale"]
    return f"{isolated(name)} ({_(SCALES[scale].label)}, {isolated(scale)}; {_shown_beside(criterion)})"


def _shown_beside(criterion: dict[str, Any]) -> str:
    aspect, beside = criterion.get("aspect", ""), dict(BESIDE)[criterion.get("beside", "")]
    about = _("aspect: %(aspect)s") % {"aspect": _(aspect)} if aspect else ""
    return _(", ").join(filter(None, (about, _("beside it: %(text)s") % {"text": beside})))


def _cost(costs: dict[str, Any]) -> str:
    pay = costs.get("pay", {})
    said = [seconds_per_judgement(costs["seconds"])] if costs.get("seconds") else []
    for key, words in (("hour", _("%(pay)s an hour")), ("item", _("%(pay)s a page"))):
        if pay.get(key):
            said.append(words % {"pay": f"{pay[key]:g} {pay.get('currency', '')}".strip()})
    return _("; ").join(said)


def _controls(plan: dict[str, Any]) -> str:
    if not plan["controls"]:
        return _("none")
    kinds = _(", ").join(_(ATTENTION_CHECKS[kind].label) for kind in plan["controls"]["kinds"])
    every = plan["controls"]["every"]
    how_many = ngettext("on every page", "on one of %(every)d pages", every) % {"every": every}
    use = _("people who fail them are excluded") if plan["use_controls"] else _("shown, and they exclude nobody")
    return _("; ").join((kinds, how_many, use))


def _crew(rules: dict[str, Any]) -> str:
    said = (f"{_(ELIGIBILITY_RULES[name].label)}: {_value(value)}" for name, value in rules.items())
    return _("; ").join(said) or _("everybody in the study")


def _value(value: Any) -> str:
    """A rule's bound, or several: a list, a table."""
    if isinstance(value, dict):
        return _(", ").join(f"{key} {_value(bound)}" for key, bound in value.items())
    return _(", ").join(map(str, value)) if isinstance(value, list) else str(value)


def _shown(comparison: bool) -> str:
    if comparison:
        return _("progress, agreement and attention checks, and the comparison of the systems")
    return _("progress, agreement and attention checks; the comparison of the systems when the study is closed")


def _bounds(exclusions: dict[str, float]) -> str:
    return _("; ").join(exclusion_in_words(name, bound) for name, bound in exclusions.items()) or _("everybody")


def _comparison(asked: dict[str, Any]) -> str:
    if not asked:
        return _("none")
    correction, any_time = asked["correction"], asked.get("looks") == ANY
    named = {
        "criterion": isolated(asked["criterion"]),
        "systems": _(", ").join(map(isolated, asked["systems"])) or _("all others"),
        "baseline": isolated(asked["baseline"]),
        "test": _(STATISTICS[asked.get("evidence") or BETTING if any_time else asked["test"]].label),
        "correction": "e-BH"
        if any_time
        else _("none")
        if correction == NO_CORRECTION
        else _(STATISTICS[correction].label),
        "alpha": f"{asked['alpha']:g}",
    }
    said = _("%(criterion)s: %(systems)s against %(baseline)s; %(test)s, correction: %(correction)s, level %(alpha)s")
    parts = [said % named, *([_("decided at any moment")] if any_time else [])]
    if proxy := asked.get("proxy"):
        parts.append(_("with the metric %(metric)s beside people") % {"metric": isolated(metric_of(proxy).label)})
    return _("; ").join(parts)


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
    """The preview of the plan in the form, or the parts that it lacks; 204 where a newer one was asked for."""
    is_wanted = newest_request(request, f"human-preview:{study}")
    data = request.POST.copy()
    data["name"] = data.get("name", "").strip() or _("Human study")  # the cost does not depend on the name
    form = HumanStudyForm(data, study=request.study)
    context: dict[str, Any] = {"live": True}
    if form.is_valid():
        with telling() as told:
            try:
                planned = as_planned(study=request.study, **form.fields_given())
                context["preview"] = preview(*planned, is_wanted)
            except Superseded:
                return HttpResponse(status=204)
        if told.error:
            context["why"] = told.error.sentence
        context["warnings"] = form.warnings()
    else:
        context |= {"why": _("A field of the form is missing or wrong."), "faults": form.faults()}
    return render(request, "evaluation/human_studies/_preview.html", context)


@require_safe
def human_study(request: Any, study: str, human: str) -> HttpResponse:
    return _show(request, human_study_of(request, human))


@require_safe
def human_heds(request: Any, study: str, human: str) -> HttpResponse:
    """The frozen plan as a Human Evaluation Datasheet, a file for its form."""
    human_study = human_study_of(request, human)
    with telling(request):
        data = heds(human_study)
        return HttpResponse(data, "application/json", headers=as_attachment(f"{human}-heds.json", len(data)))
    return redirect("human_study", study, human)


@require_POST
def human_open(request: Any, study: str, human: str) -> HttpResponse:
    human_study = human_study_of(request, human)
    return _do(request, human_study, lambda: open_human_study(human_study=human_study, by=request.user))


@require_POST
def human_close(request: Any, study: str, human: str) -> HttpResponse:
    human_study = human_study_of(request, human)
    return _do(request, human_study, lambda: close_human_study(human_study=human_study, by=request.user))


@require_POST
def human_repeat(request: Any, study: str, human: str) -> HttpResponse:
    with telling(request):
        again = repeat_human_study(human_study=human_study_of(request, human), by=request.user)
        return redirect("human_study", study, again.slug)
    return redirect("human_study", study, human)


@require_POST
def human_delete(request: Any, study: str, human: str) -> HttpResponse:
    with telling(request):
        tell_removed(request, delete_human_study(human_study=human_study_of(request, human), by=request.user))
        return redirect("study_human", study)
    return redirect("human_study", study, human)


@require_POST
def human_amend(request: Any, study: str, human: str) -> HttpResponse:
    human_study = human_study_of(request, human)
    form = AmendForm(request.POST, study=request.study)
    if form.is_valid():
        with telling(form):
            amend_human_study(human_study=human_study, by=request.user, **form.amendments())
            return redirect("human_study", study, human)
    return _show(request, human_study, form, 422)


def _planned(request: Any, form: HumanStudyForm, plan: HumanStudy | None) -> HttpResponse:
    if form.is_bound and form.is_valid():
        with telling(form):
            planned = plan_human_study(study=request.study, human_study=plan, by=request.user, **form.fields_given())
            return redirect("human_study", request.study.slug, planned.slug)
    context = {
        "form": form,
        "plan": plan,
        "presets": PLAN_TEMPLATES,
        "preset": request.GET.get("preset"),
        "used": PLAN_TEMPLATES.get(request.GET.get("preset", "")),
    }
    return render(request, "evaluation/human_studies/plan.html", context, status=422 if form.is_bound else 200)


def _do(request: Any, human_study: HumanStudy, act: Any) -> HttpResponse:
    with telling(request):
        act()
        return redirect("human_study", request.study.slug, human_study.slug)
    return _show(request, human_study_of(request, human_study.slug), status=422)


def _show(request: Any, human_study: HumanStudy, form: AmendForm | None = None, status: int = 200) -> HttpResponse:
    context = {
        "human": human_study,
        "may_edit": request.study.can(request.user, Can.EDIT_STUDY),
        "rules": rows_of(human_study),
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
        "decision": decision_of(human_study, out),
        "settled": {} if human_study.withholds else human_study.draws.get("settled", {}),
        "both": beside_the_first(human_study),
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
