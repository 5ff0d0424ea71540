"""The demo's second study: a few abstracts, screened and ready to be adapted, from the template of PLABA."""

import uuid
from pathlib import Path

from accounts.models import Person
from annotation.actions.adopt_screening import adopt_screening
from annotation.actions.begin_study import begin_study
from annotation.actions.claim_assignment import claim_assignment
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.submit_answer import submit_answer
from annotation.models import Campaign
from corpora.actions.add_documents import add_documents
from corpora.actions.assign_splits import assign_splits
from corpora.actions.start_import import document_format
from corpora.formats import TextFile
from corpora.models import Study

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
