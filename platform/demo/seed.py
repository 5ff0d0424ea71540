"""Filling an empty database with the demo."""

import secrets
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from celery import Task
from django.db import transaction

from accounts.models import Person
from accounts.permissions import Role
from annotation.actions.adopt_screening import adopt_screening
from annotation.actions.begin_study import begin_study
from annotation.actions.claim_assignment import claim_assignment
from annotation.actions.create_campaign import create_campaign
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.submit_answer import submit_answer
from annotation.models import Campaign
from corpora.actions.add_documents import add_documents
from corpora.actions.assign_splits import assign_splits
from corpora.actions.start_import import document_format
from corpora.formats import TextFile
from corpora.models import Output, Reference, Sentence, Study
from demo.plain_letters import make_plain_letters
from demo.simulated import Level, Levels, join, make_raters, simulate
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.actions.start_metrics import start_metrics
from evaluation.human_studies.plan_templates import PLAN_TEMPLATES
from evaluation.models import HumanStudy
from evaluation.tasks import score
from foundation.errors import UserError
from foundation.text_keys import text_key
from jobs.models import Job
from modelserving.actions.start_transfer import start_transfer
from modelserving.tasks import train, transfer
from study_file.actions.apply_study import apply_study

FILE = Path(__file__).parent / "abstracts.jsonl"
CODES = {"1": ("back pain", "treatment"), "2": ("sleep", "prevention")}


def make_abstracts(by: Person, screener: Person) -> Study:
    """The study with its two questions chosen; people may adapt and check at once."""
    study = begin_study(template="plaba", slug="plain-abstracts", title="Plain abstracts", by=by)
    documents = document_format("documents_jsonl").documents(TextFile(FILE, FILE.name), {})
    add_documents(study=study, documents=documents, style="technical", origin=FILE.name, by=by)
    assign_splits(study=study, rule="question", proportions={"train": 50, "tune": 0, "test": 50}, by=by)
    campaigns = {campaign.slug: campaign for campaign in study.campaigns.all()}
    _screen(_opened(campaigns["screen"], by), screener)
    adopt_screening(campaign=campaigns["screen"], by=by)
    for slug in ("adapt", "check"):
        _opened(campaigns[slug], by)
    return study


def _opened(campaign: Campaign, by: Person) -> Campaign:
    return set_campaign_state(campaign=campaign, state=Campaign.State.OPEN, by=by)


def _screen(campaign: Campaign, screener: Person) -> None:
    """Choose every question with all its abstracts, through the engine as a person would."""
    while (work := claim_assignment(study=campaign.study, campaign=campaign.slug, person=screener).work) is not None:
        focus, kind = CODES[work.content["code"]]
        documents = {str(one["id"]): True for one in work.content["documents"]}
        submit_answer(
            study=campaign.study, campaign=campaign.slug, person=screener, assignment=work.assignment, lease=work.lease,
            key=uuid.uuid4(),
            content={"chosen": True, "focus": focus, "kind": kind, "type": "C", "documents": documents},
        )  # fmt: skip


PEOPLE = [
    ("admin@restyle.example", "Ada Admin", Role.ADMIN),
    ("researcher@restyle.example", "Robin Researcher", Role.RESEARCHER),
    ("reviewer@restyle.example", "Remy Reviewer", Role.REVIEWER),
    ("expert@restyle.example", "Eli Expert", Role.EXPERT_ANNOTATOR),
    ("crowd@restyle.example", "Chris Crowd", Role.CROWD_ANNOTATOR),
]
TOPICS = ["backs", "sleep"]  # those of the demo's abstracts


def make_people() -> dict[str, tuple[Person, str]]:
    """Each person by role, with the password."""
    made = {}
    for email, name, role in PEOPLE:
        password = secrets.token_urlsafe(9)
        person = Person.objects.create_user(email, password, name=name, role=role, topics=TOPICS)
        made[role.value] = person, password
    return made


# The worth of a text on formality, fluency and meaning before chance; that of a family holds for each of its runs.
SOURCE, REFERENCE = (-1.9, 3.3, 5.9), (1.8, 4.7, 5.2)
SYSTEMS: dict[str, Level] = {
    "Light edit": (-0.3, 4.4, 5.5),
    "Rule-based": (-0.7, 3.9, 5.4),
    "Stilted": (2.6, 4.0, 4.2),
    "Light edit, words dropped on purpose": (-0.5, 2.7, 4.1),
}
CONTROLS: dict[str, Level] = {"broken": (-0.4, 1.9, 2.0), "flipped": (0.3, 4.2, 1.6)}


def _levels(study: Study) -> Levels:
    """The worth of each text, by its key: that of its first writer."""
    found = dict.fromkeys(_keys(Sentence.objects.filter(direction__study=study)), SOURCE)
    found |= dict.fromkeys(_keys(Reference.objects.filter(set__direction__study=study)), REFERENCE)
    for system in study.systems.all():
        found = (
            dict.fromkeys(_keys(Output.objects.filter(system=system)), SYSTEMS[system.family or system.name]) | found
        )
    return found


def _keys(rows: Any) -> list[str]:
    return [text_key(text) for text in rows.values_list("text", flat=True)]


GUIDELINE = "Judge each text by itself first, then beside its source. There is no right answer; be consistent."


def make_human_study(study: Study, raters: Sequence[Person], by: Person) -> HumanStudy:
    """The human study of GYAFC on a sample of the demo's sentences, with attention checks that are used."""
    planned = plan_human_study(
        study=study, name="Which system is best? (simulated)", slug="which-is-best", by=by, guideline=GUIDELINE,
        **{
            **PLAN_TEMPLATES["gyafc"].fields, "judgements": len(raters),
            "sampling": HumanStudy.Sampling.LENGTH, "size": 24,
        },
        controls={"every": 3, "kinds": ["broken", "flipped"]}, use_controls=True,
        exclusions={"control_p": 0.05, "least_seconds": 10},
        comparison={"baseline": "Rule-based", "criterion": "rank"},
        costs={"pay": {"currency": "EUR", "hour": 15.0}},
    )  # fmt: skip
    opened = open_human_study(human_study=planned, by=by)
    simulate(opened, raters, _levels(study), CONTROLS)
    return close_human_study(human_study=opened, by=by)


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


FEW = 5  # raters of the small study


@transaction.atomic
def seed_demo(*, whole: bool = True) -> dict[str, tuple[Person, str]]:
    """All of the demo or nothing of it; the jobs of its small study are done at once, as a worker would do them.

    Answers each person by role, with the password. The demo that is not `whole` lacks the larger study.
    """
    made = make_people()
    people = {role: person for role, (person, _) in made.items()}
    make_studies(people, make_raters(), whole=whole)
    return made


def make_studies(people: Mapping[str, Person], raters: Sequence[Person], *, whole: bool) -> None:
    """The demo's studies, for people that are there."""
    by = people[Role.RESEARCHER]
    study, _ = apply_study(file=TextFile(FOLDER / "study.toml", "study.toml"), opened=lambda name: FOLDER / name, by=by)
    join(study, [*people.values(), *raters[:FEW]])
    run = start_transfer(study=study, model="rule_based_formality", name="Rule-based", by=by)
    _do(run.job, transfer)
    _open_campaigns(study, by)
    make_human_study(study, raters[:FEW], by)
    _do(start_metrics(study=study, by=by).job, score)
    join(make_abstracts(by, people[Role.ADMIN]), list(people.values()))
    if whole:
        letters = make_plain_letters(list(people.values()), raters, by, people[Role.REVIEWER])
        _do(start_metrics(study=letters, by=by).job, score)
        _do(letters.trainings.get(model="pbmt").job, train)  # so that there is a model to try at once


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
