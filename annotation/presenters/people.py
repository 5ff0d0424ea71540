"""The people of a campaign: each one's work, the acts that it allows, and how far they agree."""

from dataclasses import dataclass
from typing import Any

from accounts.models import Person
from annotation.actions.pause_annotator import pause_annotator
from annotation.actions.resume_annotator import resume_annotator
from annotation.actions.settle_annotator import settle_annotator
from annotation.actions.skip_item import plain
from annotation.agreement import Agreement, measure, pairs_to_compare
from annotation.attention_checks import AttentionChecks
from annotation.models import AgreementRun, Campaign, CampaignMembership
from annotation.progress.counts import progress_by_person
from annotation.quality import CHECKS, findings
from annotation.review import control_score, work_of
from foundation.errors import UserError
from foundation.options import option, validate_options


def overview(campaign: Campaign, who: Person) -> dict[str, Any]:
    """Their membership, their counts in the campaign's phase, and what the checks find in their work."""
    counts = next((row for row in progress_by_person(campaign) if row["person"] == who.pk), None)
    work = work_of(campaign, who.pk)
    return {
        "membership": CampaignMembership.objects.get(campaign=campaign, person=who),
        "counts": counts,
        "score": control_score(work),
        "findings": [
            {"check": CHECKS[finding.check], "finding": finding} for finding in findings(work, campaign.checks)
        ],
    }


@dataclass(frozen=True)
class ActFields:
    """The fields of `act_on`."""

    act: str = option(
        "", "'keep' and 'reject' decide on the work of a paused person.", label="Act",
        choices=("pause", "resume", "keep", "reject"), required=True,
    )  # fmt: skip
    reason: str = option("", "The reason for the pause; the person reads it.", characters=2000, clean=plain)


def act_on(campaign: Campaign, who: Person, by: Any, **fields: Any) -> int:
    """Do one of the acts (`ActFields`); how many answers were rejected by it."""
    given = validate_options(ActFields, fields)
    if given.act == "pause":
        if not given.reason:
            raise UserError("Write why this person is paused; they read it.", where="reason")
        pause_annotator(campaign=campaign, person=who, by=by, reason=given.reason)
    elif given.act == "resume":
        resume_annotator(campaign=campaign, person=who, by=by)
    else:
        return settle_annotator(campaign=campaign, person=who, keep=given.act == "keep", by=by)
    return 0


AT_ONCE = 300  # pairs of answers that a page measures itself; more are a worker's


def agreement_of(campaign: Campaign) -> tuple[Agreement | None, AgreementRun | None]:
    """The agreement to show, and the run that measured it; None where it is a worker's task and none has done it.

    Runs that do not say how many attention checks they left out are older than that, and counted them.
    """
    run = campaign.agreement_runs.filter(result__isnull=False).first()
    if run is not None and run.result is not None and ("checks" in run.result or not AttentionChecks([campaign.pk])):
        return Agreement.read(run.result), run
    return (measure(campaign), None) if pairs_to_compare(campaign) <= AT_ONCE else (None, None)


def named(measured: Agreement, campaign: Campaign) -> dict[str, Any]:
    """The agreement as JSON, with pseudonyms for people."""
    stored, names = measured.json(), pseudonyms_of(campaign)
    people = [{"person": str(names.get(pk, "")), "answers": count} for pk, _name, count in measured.people]
    pairs = [
        {**pair, "a": str(names.get(pair["a"], "")), "b": str(names.get(pair["b"], ""))} for pair in stored["pairs"]
    ]
    return {**stored, "people": people, "pairs": pairs}


def pseudonyms_of(campaign: Campaign) -> dict[int, Any]:
    return dict(campaign.memberships.values_list("person", "person__pseudonym"))
