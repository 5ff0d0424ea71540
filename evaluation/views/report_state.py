"""The state of a study's report: there, being worked out, or out of date with its changes; all pages show it."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.permissions import Can
from annotation.independence import judging_kinds
from corpora.models import Study
from evaluation.human_studies.workers import opened_studies
from evaluation.models import Report
from evaluation.report_freshness import inputs_of
from jobs.models import UNFINISHED

WORDS = {
    "version": gettext_noop("the program"),
    "systems": gettext_noop("systems"),
    "outputs": gettext_noop("outputs"),
    "references": gettext_noop("references"),
    "marks": gettext_noop("references"),
    "study": gettext_noop("the study's settings"),
    "choice": gettext_noop("how systems are compared"),
    "human_studies": gettext_noop("human studies"),
    "campaigns": gettext_noop("human studies"),
    "sources": gettext_noop("texts"),
    "metrics": gettext_noop("the chosen metrics"),
    "imported_scores": gettext_noop("imported scores"),
    "ratings": gettext_noop("judgements"),
    "answers": gettext_noop("judgements"),
    "criteria": gettext_noop("criteria"),
    "reviews": gettext_noop("judgements"),
}
"""What people call the parts of the state of which a report keeps digests."""


def report_of(request: Any) -> Report | None:
    return Report.objects.filter(study=request.study).first()


def unfinished_job(request: Any) -> Any:
    """The job that works the report out now."""
    job = _newest_job(request)
    return job if job and job.state in UNFINISHED else None


def freshness(request: Any, report: Report | None) -> dict[str, Any]:
    """The context of `evaluation/_state.html`."""
    study, job = request.study, _newest_job(request)
    context = {
        "report": report,
        "job": job if job and job.state in UNFINISHED else None,
        "last_job": job,
        "may_run": study.can(request.user, Can.RUN_METRICS),
        "may_edit": study.can(request.user, Can.EDIT_STUDY),
    }
    if report is None:
        context["has_systems"] = study.systems.exists()
        context["texts_alone"] = not context["has_systems"] and opened_studies(study).exists()
        context["has_metrics"] = study.metric_choices.exists()
        context["judged"] = context["texts_alone"] or _is_judged(study)
    else:
        state = inputs_of(study)
        context["stale"] = report.key != state.key
        context["changed"] = list(dict.fromkeys(_(WORDS[name]) for name in state.changed(report.made_from)))
    return context


def _is_judged(study: Study) -> bool:
    """Whether people judged texts, here or elsewhere: a report needs no metric then."""
    judging = study.campaigns.filter(task_type__in=judging_kinds(), answers__isnull=False)
    return study.ratings_imports.exists() or judging.exists()


def _newest_job(request: Any) -> Any:
    run = request.study.metric_runs.select_related("job").first()
    return run.job if run else None
