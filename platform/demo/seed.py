"""Filling an empty database with the demo."""

from pathlib import Path

from celery import Task
from django.db import transaction

from accounts.models import Person
from accounts.permissions import Role
from annotation.actions.create_campaign import create_campaign
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.models import Campaign
from corpora.formats import TextFile
from corpora.models import Study
from demo.abstracts import make_abstracts
from demo.human_study import GUIDELINE, make_human_study
from demo.people import join, make_people, make_raters
from evaluation.actions.start_metrics import start_metrics
from evaluation.tasks import score
from foundation.errors import UserError
from jobs.models import Job
from modelserving.actions.start_transfer import start_transfer
from modelserving.tasks import transfer
from study_file.actions.apply_study import apply_study

FOLDER = Path(__file__).parent
BESIDE = {"rate_source": True, "rate_reference": True}
CAMPAIGNS = [
    ("Rewrite formally", "rewrite", {}, 2),
    ("Rate the systems", "rate", BESIDE, 3),
    ("Rank the systems", "rank", {"rate_reference": True}, 2),
]
GUIDELINES = {
    "rewrite": "Write the sentence as you would in a letter to somebody you do not know. Keep its meaning whole.",
    "rate": GUIDELINE,
    "rank": "Put the text first that is the most formal while it reads well and says what the source says.",
}


@transaction.atomic
def seed_demo() -> dict[str, tuple[Person, str]]:
    """All of the demo or nothing of it; its jobs are done at once, as a worker would do them."""
    people = make_people()
    by = people[Role.RESEARCHER][0]
    study, _ = apply_study(file=TextFile(FOLDER / "study.toml", "study.toml"), opened=lambda name: FOLDER / name, by=by)
    raters = make_raters()
    join(study, [person for person, _ in people.values()] + raters)
    run = start_transfer(study=study, model="rule_based_formality", name="Rule-based", by=by)
    _do(run.job, transfer)
    _open_campaigns(study, by)
    make_human_study(study, raters, by)
    _do(start_metrics(study=study, by=by).job, score)
    join(make_abstracts(by, people[Role.ADMIN][0]), [person for person, _ in people.values()])
    return people


def _do(job: Job, task: Task) -> None:
    task(job.pk)
    job.refresh_from_db()
    if job.state != Job.State.DONE:
        raise UserError("The demo could not be made: {error}\n{log}", error=job.error, log=job.log)


def _open_campaigns(study: Study, by: Person) -> None:
    """Work for newcomers, on one run of each system at most."""
    for name, kind, chosen, overlap in CAMPAIGNS:
        campaign = create_campaign(
            study=study, name=name, task_type=kind, settings=chosen, overlap=overlap, guideline=GUIDELINES[kind],
            systems=list(study.systems.filter(family="")), by=by,
        )  # fmt: skip
        set_campaign_state(campaign=campaign, state=Campaign.State.OPEN, by=by)
