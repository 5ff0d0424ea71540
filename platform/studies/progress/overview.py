"""The way of a study, step by step: what it has, and what comes next."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Q, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.permissions import Can
from accounts.permissions.routes import ROUTES
from annotation.models import Campaign, CampaignMembership
from corpora.models import Output, Reference, Sentence, Study
from evaluation.models import Judgement, Report


@dataclass
class Step:
    """One step of the way. `state` is done, next or later; `route` names the page where it is taken.

    `reachable` says whether the person may see that page, `may` whether they may take the step.
    """

    name: str
    title: str
    text: str
    has: str
    done: bool
    route: str
    action: str
    may: bool
    state: str = "later"
    reachable: bool = False


def counts_of(study: Study) -> dict[str, int]:
    """How many of each thing the study has."""
    campaigns = study.campaigns
    rewriting = Q(campaign__task_type="rewrite")
    done = CampaignMembership.objects.filter(campaign__study=study).aggregate(
        judged=Coalesce(Sum("done", filter=~rewriting), 0), rewritten=Coalesce(Sum("done", filter=rewriting), 0)
    )
    return {
        "directions": study.directions.count(),
        "sentences": Sentence.objects.filter(direction__study=study).count(),
        "references": Reference.objects.filter(set__direction__study=study).count(),
        "systems": study.systems.count(),
        "outputs": Output.objects.filter(system__study=study).count(),
        "campaigns": campaigns.count(),
        "judgements": Judgement.objects.filter(ratings_import__study=study).count(),
        "judged": done["judged"],
        "rewritten": done["rewritten"],
        "answers": done["judged"] + done["rewritten"],
        "metrics": study.metric_choices.count(),
        "reports": Report.objects.filter(study=study, made_at__isnull=False).count(),
    }


def steps_of(study: Study, counts: dict[str, int], person: Any) -> list[Step]:
    """The steps in order; the first that is not done is the next one."""
    steps = _steps(counts, lambda capability: study.can(person, capability))
    following = next((step for step in steps if not step.done), None)
    for step in steps:
        step.state = "done" if step.done else "next" if step is following else "later"
        row = ROUTES.get(step.route)
        step.reachable = isinstance(row, Can) and study.can(person, row)
    return steps


def _steps(n: dict[str, int], can: Any) -> list[Step]:
    edits, metrics = can(Can.EDIT_STUDY), can(Can.RUN_METRICS)
    return [
        Step(
            "texts", _("Texts"), _("The sentences to rewrite, for each direction from one style to another."),
            ngettext("%(n)s sentence", "%(n)s sentences", n["sentences"]) % {"n": f"{n['sentences']:,}"},
            n["sentences"] > 0, "study_texts", _("Add texts"), edits,
        ),
        Step(
            "references", _("References"), _("Good rewrites by people: uploaded, or written in a campaign."),
            ngettext("%(n)s reference", "%(n)s references", n["references"]) % {"n": f"{n['references']:,}"},
            n["references"] > 0, "study_texts", _("Add references"), edits,
        ),
        Step(
            "systems", _("Systems"), _("What rewrites the texts: upload the outputs of a model, or run one here."),
            ngettext("%(n)s system", "%(n)s systems", n["systems"]) % {"n": f"{n['systems']:,}"},
            n["outputs"] > 0, "study_systems", _("Add a system"), edits,
        ),
        Step(
            "judgements", _("Judgements"), _("People rate or rank the outputs in a campaign, or elsewhere."),
            _judged(n), n["judgements"] + n["judged"] > 0, "study_campaigns", _("Collect judgements"), edits,
        ),
        Step(
            "metrics", _("Metrics"), _("Which scores the outputs get without people."),
            ngettext("%(n)s metric", "%(n)s metrics", n["metrics"]) % {"n": n["metrics"]},
            n["metrics"] > 0, "metrics_choose", _("Choose metrics"), metrics,
        ),
        Step(
            "report", _("Report"), _("Systems by people and by metrics, and how far each metric agrees with people."),
            _("computed") if n["reports"] else _("not computed yet"),
            n["reports"] > 0, "study_report", _("Open the report"), can(Can.VIEW_REPORT),
        ),
        Step(
            "gold", _("Gold"), _("The rewrites of your people, with their provenance, to download."),
            ngettext("%(n)s rewrite", "%(n)s rewrites", n["rewritten"]) % {"n": f"{n['rewritten']:,}"},
            n["rewritten"] > 0, "study_gold" if n["rewritten"] else "study_campaigns", _("Ask for rewrites"), edits,
        ),
    ]  # fmt: skip


def _judged(n: dict[str, int]) -> str:
    elsewhere = ngettext("%(n)s imported judgement", "%(n)s imported judgements", n["judgements"])
    here = ngettext("%(n)s answer in judging campaigns", "%(n)s answers in judging campaigns", n["judged"])
    said = [(here, n["judged"])] if n["judged"] or not n["judgements"] else []
    said += [(elsewhere, n["judgements"])] if n["judgements"] else []
    return ", ".join(words % {"n": f"{count:,}"} for words, count in said)


def work_of(study: Study, person: Any) -> list[Campaign]:
    """The campaigns that ask for this person's work, each with `own_done`: how many items they did."""
    if study.archived_at is not None:
        return []
    role = study.role_of(person)
    campaigns = study.campaigns.filter(state__in=["open", "pilot"], roles__contains=[role]).order_by("pk")
    done = dict(
        CampaignMembership.objects.filter(campaign__in=campaigns, person=person).values_list("campaign", "done")
    )
    listed = list(campaigns)
    for campaign in listed:
        campaign.own_done = done.get(campaign.pk, 0)
    return listed
