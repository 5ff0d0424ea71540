"""Stages under many hands at once: writers, verifiers and reviewers who change their minds; nobody meets an error."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random
from uuid import uuid4

import pytest
from django.db import connection, transaction
from support import campaigns as make

from accounts.permissions import Role
from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.pause_annotator import pause_annotator
from annotation.actions.resume_annotator import resume_annotator
from annotation.actions.review_answer import review_answer
from annotation.actions.revise_answer import revise_answer
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.settle_annotator import settle_annotator
from annotation.effective_annotations import products
from annotation.models import Answer, Assignment, Campaign, CampaignMembership, Item, Review
from annotation.stages import bring_in
from foundation.errors import UserError

pytestmark = pytest.mark.slow

ACTS = 60  # by each of the people
VERDICTS = [{"verdict": "accept"}, {"verdict": "reject", "reason": "It does not read well"},
            {"verdict": "redo", "answer": {"text": "One has to see this."}}]  # fmt: skip
CONTENTS = {"rewrite": {"text": "I must see it."}, "verify": VERDICTS[1]}
AT_ONCE = 7  # and this process: a process has 8 connections, and whoever waits 5 seconds for one is refused
DECISIONS = ["accepted", "accepted", "accepted", "rejected", "rejected", "returned", "dropped"]


@pytest.mark.django_db(transaction=True)
def test_many_hands_in_four_stages_leave_what_one_hand_would_have_left():
    study = make.study(items=24)
    first = make.campaign(study, overlap=2)
    second = make.campaign(study, "verify", after=first, overlap=2, name="check")
    third = make.campaign(study, "rewrite", after=second, takes="rejected", name="again")
    fourth = make.campaign(study, "verify", after=third, name="last")
    chain = [first, second, third, fourth]
    people = [make.person(Role.REVIEWER, study) for _ in range(6)]
    boss = make.person(Role.RESEARCHER, study)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        running = [pool.submit(switching, first, second, boss)]
        running += [pool.submit(restless, chain, people, boss, Random(100 + n)) for n in range(3)]  # noqa: S311
        running += [pool.submit(worker, chain, person, Random(n)) for n, person in enumerate(people)]  # noqa: S311
        for act in running:
            act.result()
    assert Answer.objects.count() > 20
    assert_whole(study, chain)


@pytest.mark.django_db
def test_what_somebody_did_who_has_a_hand_in_its_ground_now_is_done_anew_and_once():
    study = make.study(items=1)
    first = make.campaign(study)
    check = make.campaign(study, "verify", after=first, overlap=2)
    again = make.campaign(study, after=check, takes="rejected", name="again")
    writer, one, other, late = (make.person(study=study) for _ in range(4))
    boss = make.person(Role.RESEARCHER, study)
    for campaign, who in ((first, writer), (check, one), (check, other)):
        make.hand_in(campaign, who, make.held(campaign, who), content=CONTENTS[campaign.task_type])
    make.hand_in(again, late, make.held(again, late), content={"text": "It must be seen."})
    pause_annotator(campaign=check, person=other, by=boss, reason="Look again.")
    settle_annotator(campaign=check, person=other, keep=False, by=boss)
    assert not again.items.filter(withdrawn=False).exists()
    make.hand_in(check, late, make.held(check, late), content=CONTENTS["verify"])
    item = again.items.get(withdrawn=False)
    assert item.people == [writer.pk, one.pk, late.pk]
    for _ in range(2):
        assert bring_in(Campaign.objects.get(pk=again.pk)) == 0
        assert again.items.get(withdrawn=False) == item


def worker(chain, who, random):
    try:
        for _ in range(ACTS):
            campaign = random.choice(chain)
            act = random.choice([hand_in, hand_in, hand_in, hand_in, revise, review])
            with suppress(UserError):  # a sentence is a good answer to a race
                act(campaign, who, random)
    finally:
        connection.close()


def hand_in(campaign, who, random):
    work = make.claim(campaign, who).work
    if work is not None:
        make.hand_in(campaign, who, work, content=content_for(campaign, random))


def content_for(campaign, random):
    if campaign.task_type == "verify":
        return random.choice(VERDICTS)
    return {"text": random.choice(["One has to see it.", "I must see it.", "It must be seen."])}


def revise(campaign, who, random):
    mine = list(Answer.objects.filter(campaign=campaign, person=who, outcome="answered"))
    if mine:
        revise_answer(answer=random.choice(mine), person=who, key=uuid4(), content=content_for(campaign, random))


def review(campaign, who, random):
    answers = list(Answer.objects.filter(campaign=campaign).select_related("campaign", "item"))
    if answers:
        review_answer(answer=random.choice(answers), verdict=random.choice(DECISIONS), by=who)


def restless(chain, people, boss, random):
    """Sets all work of somebody aside, and lets them go on."""
    try:
        for _ in range(8):
            campaign, who = random.choice(chain), random.choice(people)
            with suppress(UserError):  # another one let them go on already
                pause_annotator(campaign=campaign, person=who, by=boss, reason="Look again.")
                settle_annotator(campaign=campaign, person=who, keep=random.random() < 0.3, by=boss)
                resume_annotator(campaign=campaign, person=who, by=boss)
    finally:
        connection.close()


def switching(reviewed, campaign, boss):
    """Opens and closes a stage, and asks for reviews and asks for none before it."""
    try:
        for turn in range(12):
            edit_campaign(campaign=reviewed, by=boss, needs_review=turn % 2 == 0)
            for state in ("paused", "open", "closed", "open"):
                set_campaign_state(campaign=Campaign.objects.get(pk=campaign.pk), state=state, by=boss)
    finally:
        connection.close()


def assert_whole(study, chain):
    for campaign in chain:
        for item in campaign.items.all():
            assignments = list(item.assignments.all())
            assert len(assignments) == campaign.overlap
            people = [assignment.annotator_id for assignment in assignments if assignment.annotator_id]
            assert len(people) == len(set(people))
            done = {assignment.annotator_id for assignment in assignments if assignment.state == Assignment.State.DONE}
            if not item.withdrawn:
                assert not done & set(item.people), "somebody has two stages of one item"
            for person in done:
                assert Answer.objects.filter(item=item, person=person, outcome="answered").exists()
        for membership in CampaignMembership.objects.filter(campaign=campaign):
            assert counts_of(membership) == (membership.accepted, membership.rejected)
    before = snapshot(study)
    for campaign in chain[1:]:  # asked once more, nothing is missing and nothing too much
        with transaction.atomic():
            assert bring_in(Campaign.objects.get(pk=campaign.pk)) == 0
    assert snapshot(study) == before
    origins = [row.answer_id for row in products(study)]
    assert len(origins) == len(set(origins))


def counts_of(membership):
    """The newest decisions about what this person answered."""
    good = bad = 0
    for item in Item.objects.filter(campaign=membership.campaign, answers__person=membership.person_id).distinct():
        said = Review.objects.filter(answer__item=item, answer__person=membership.person_id, answer__outcome="answered")
        last = said.order_by("-made_at", "-pk").first()
        good += bool(last) and last.verdict in ("accepted", "fixed")
        bad += bool(last) and last.verdict == "rejected"
    return good, bad


def snapshot(study):
    items = Item.objects.filter(campaign__study=study).order_by("pk")
    return list(items.values_list("pk", "withdrawn", "people", "parent", "settled"))
