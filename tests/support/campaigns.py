"""Studies with campaigns for the tests, made through the actions that pages and API use."""

import itertools
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.db.models import F

from accounts.models import Person
from accounts.permissions import Role
from annotation.actions.claim_assignment import claim_assignment
from annotation.actions.create_campaign import create_campaign
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.submit_answer import Submission, submit_answer
from annotation.engine.assignment_queue import Claim, LeasedItem
from annotation.engine.running_sums import forget_sums
from annotation.models import Answer, Assignment, Campaign, CampaignMembership
from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.create_study import create_study
from corpora.models import Membership, Output, Study, System

NUMBERS = itertools.count(1)
PASSWORD = "a long enough password"
SYSTEMS = ("RuleBasedSecret", "NeuralSecret", "HumanSecret")


def person(role: str = Role.CROWD_ANNOTATOR, study: Study | None = None, **fields: Any) -> Person:
    """Somebody new, a member of `study` with `role` where one is given."""
    made = Person.objects.create_user(f"person{next(NUMBERS)}@example.org", PASSWORD, role=role, **fields)
    if study is not None:
        Membership.objects.create(study=study, person=made, role=role)
    return made


def study(items: int = 6, systems: int = 0, references: int = 0) -> Study:
    """A study of one direction, informal to formal, with `items` sources, `systems` outputs and references of each."""
    number = next(NUMBERS)
    made = create_study(slug=f"study-{number}", title=f"Texts {number}", styles=["informal", "formal"])
    direction = add_direction(study=made, source_style="informal", target_style="formal")
    add_sources(direction=direction, texts=[f"gotta see number {n} , u know" for n in range(1, items + 1)])
    keys = list(direction.sentences.order_by("number").values_list("pk", flat=True))
    for k in range(references):
        texts = [f"Reference {k} of sentence {n}." for n in range(1, items + 1)]
        add_references(direction=direction, texts=texts, origin=f"file {k}")
    for number, name in enumerate(SYSTEMS[:systems], 1):
        system = System.objects.create(study=made, number=number, name=name, origin="a test")
        Output.objects.bulk_create(
            Output(system=system, sentence_id=key, text=f"You should see {n} in manner {number}.")
            for n, key in enumerate(keys, 1)
        )
    return made


def campaign(of: Study, task_type: str = "rewrite", *, state: str = "open", **options: Any) -> Campaign:
    made = create_campaign(study=of, name=options.pop("name", task_type), task_type=task_type, **options)
    return set_campaign_state(campaign=made, state=state, by=None) if state != "draft" else made


def claim(where: Campaign, who: Person) -> Claim:
    return claim_assignment(study=where.study, campaign=where.slug, person=who)


def held(where: Campaign, who: Person) -> LeasedItem:
    """The work in the person's hands; there must be some."""
    work = claim(where, who).work
    assert work is not None
    return work


def time_passes(seconds: float) -> None:
    """All that was leased and handed in is so much longer ago. (In a test's transaction the clock stands still.)"""
    ago = timedelta(seconds=seconds)
    Assignment.objects.filter(leased_at__isnull=False).update(leased_at=F("leased_at") - ago)
    Answer.objects.update(submitted_at=F("submitted_at") - ago)
    CampaignMembership.objects.update(made_at=F("made_at") - ago)


def hand_in(where: Campaign, who: Person, work: LeasedItem, **options: Any) -> Submission:
    """Submit a rewrite of `work` by `who`, which took `seconds` where some are given: here no time passes."""
    seconds = options.pop("seconds", None)
    content = options.pop("content", {"text": f"I have to see number {work.number}."})
    key = options.pop("key", None) or uuid4()
    made = submit_answer(
        study=where.study, campaign=where.slug, person=who, assignment=work.assignment, lease=work.lease, key=key,
        content=content, **options,
    )  # fmt: skip
    if seconds is not None:
        Answer.objects.filter(pk=made.answer).update(seconds=seconds)
        forget_sums(where.pk, who.pk)
    return made
