"""A campaign's agreement as it is shown: measured at once where that is quick, else as a worker measured it."""

from typing import Any

from annotation.agreement import Agreement, measure, pairs_to_compare
from annotation.models import AgreementRun, Campaign

AT_ONCE = 300  # pairs of answers that a page measures itself; more are a worker's


def agreement_of(campaign: Campaign) -> tuple[Agreement | None, AgreementRun | None]:
    """What there is to show, and the run that measured it; nothing where that is a worker's and none has done it."""
    run = campaign.agreement_runs.filter(result__isnull=False).first()
    if run is not None and run.result is not None:
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
