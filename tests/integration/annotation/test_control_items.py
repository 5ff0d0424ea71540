"""Control items, trainings and qualifications: what is expected, who gets it, and that it counts nowhere."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from support import campaigns as make

from annotation.actions.create_campaign import create_campaign
from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.set_expected import set_expected
from annotation.actions.skip_item import skip_item
from annotation.effective_annotations import products, rewrites
from annotation.engine.assignment_queue import Reason
from annotation.models import Answer, Assignment, CampaignMembership, Item
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
EXPECTED = {"text": "It is expected."}


def expect(campaign, *numbers):
    for item in campaign.items.filter(number__in=numbers):
        set_expected(item=item, content=EXPECTED, by=None)


def numbers_of(campaign, who, count):
    """The numbers of the next items, each handed in as expected."""
    seen, claim = [], make.claim(campaign, who)
    for _ in range(count):
        if claim.work is None:
            break
        seen.append(claim.work.number)
        claim = make.hand_in(campaign, who, claim.work, content=EXPECTED).next
    return seen


@pytest.fixture
def study():
    return make.study(items=20)


def test_one_item_in_so_many_is_a_control_item_at_a_drawn_place(study):
    campaign = make.campaign(study, overlap=6, control_every=4, state="draft")
    expect(campaign, 2, 5, 11)
    set_campaign_state(campaign=campaign, state="open", by=None)
    people = [make.person(study=study) for _ in range(6)]  # that all draw the same places is out of the question
    orders = [numbers_of(campaign, who, 12) for who in people]
    for seen in orders:
        assert len(set(seen)) == 12
        places = [at for at, number in enumerate(seen) if number in {2, 5, 11}]
        assert [place // 4 for place in places] == [0, 1, 2]
    assert len({tuple(at % 4 for at, number in enumerate(seen) if number in {2, 5, 11}) for seen in orders}) > 1
    assert {len(set(numbers_of(campaign, who, 20)) & {2, 5, 11}) for who in people} == {0}
    assert {row.number for row in products(study)}.isdisjoint({2, 5, 11})
    assert len(list(rewrites(study))) == len(list(products(study))) == 17 * 6
    assert Answer.objects.filter(item__control=True).count() == 18


def test_a_control_item_that_is_passed_by_goes_to_nobody_else_by_the_queue(study):
    campaign = make.campaign(study, control_every=1, state="draft")
    expect(campaign, 7)
    set_campaign_state(campaign=campaign, state="open", by=None)
    who, other = make.person(study=study), make.person(study=study)
    work = make.held(campaign, who)
    assert work.number == 7
    claim = skip_item(
        study=study, campaign=campaign.slug, person=who, assignment=work.assignment, lease=work.lease, key=uuid4()
    )
    assert claim.work.number == 1
    assert Assignment.objects.get(item__number=7).state == Assignment.State.FREE
    assert make.held(campaign, other).number == 7
    assert Assignment.objects.filter(item__number=7).count() == 1


def test_people_of_one_browser_meet_no_control_item_twice(study):
    campaign = make.campaign(study, overlap=3, control_every=1, state="draft")
    expect(campaign, 2, 5, 11)
    set_campaign_state(campaign=campaign, state="open", by=None)
    one, other, apart = (make.person(study=study) for _ in range(3))
    for who in (one, other):
        make.claim(campaign, who)
        Assignment.objects.filter(annotator=who).update(state=Assignment.State.FREE, annotator=None, lease=None)
    CampaignMembership.objects.filter(person=one).update(apart=[other.pk])
    CampaignMembership.objects.filter(person=other).update(apart=[one.pk])
    first = numbers_of(campaign, one, 1)
    held = make.held(campaign, one).number
    met = numbers_of(campaign, other, 2)
    assert {*first, held, met[0]} == {2, 5, 11}
    assert met[1] not in {2, 5, 11}
    assert set(numbers_of(campaign, apart, 3)) == {2, 5, 11}


def test_where_control_items_are_given_out_the_others_come_in_a_drawn_order_too(study):
    campaign, later = (make.campaign(study, name=name, control_every=every, overlap=2, state="draft") for name, every
                       in (("at once", 4), ("later", 0)))  # fmt: skip
    for one in (campaign, later):
        set_campaign_state(campaign=one, state="open", by=None)
    ordered = numbers_of(later, make.person(study=study), 3)
    edit_campaign(campaign=later, control_every=4, by=None)
    orders = [numbers_of(one, make.person(study=study), 20) for one in (campaign, later)]
    assert ordered == [1, 2, 3]
    assert [sorted(order) for order in orders] == [list(range(1, 21))] * 2
    assert all(order != sorted(order) for order in orders)
    assert numbers_of(campaign, make.person(study=study), 20) == orders[0]


def test_a_pilot_takes_its_items_from_the_drawn_order(study):
    campaign = make.campaign(study, control_every=4, state="draft")
    set_campaign_state(campaign=campaign, state="pilot", by=None, pilot_items=5)
    pilot = numbers_of(campaign, make.person(study=study), 6)
    set_campaign_state(campaign=campaign, state="open", by=None)
    assert len(pilot) == 5
    assert pilot != [1, 2, 3, 4, 5]
    assert numbers_of(campaign, make.person(study=study), 5) == pilot


def test_an_item_becomes_a_control_item_only_before_anybody_has_seen_it(study):
    campaign = make.campaign(study)
    who = make.person(study=study)
    make.held(campaign, who)
    with pytest.raises(UserError, match="has already worked on this item"):
        expect(campaign, 1)
    expect(campaign, 3)
    item = Item.objects.get(number=3)
    assert (item.control, item.expected, item.assignments.count()) == (True, EXPECTED, 0)
    set_expected(item=item, content=None, by=None)
    item.refresh_from_db()
    assert (item.control, item.expected, item.assignments.count()) == (False, None, 1)
    with pytest.raises(UserError, match="The rewrite is empty"):
        set_expected(item=item, content={"text": " "}, by=None)


def lessons(study, purpose, name, **options):
    campaign = create_campaign(study=study, name=name, task_type="rewrite", purpose=purpose, **options)
    expect(campaign, *range(1, 21))
    return set_campaign_state(campaign=campaign, state="open", by=None)


def test_everybody_does_every_item_of_a_training_and_is_told_what_was_expected():
    study = make.study(items=2)
    training = lessons(study, "training", "training")
    people = [make.person(study=study) for _ in range(2)]
    for who in people:
        first = make.hand_in(training, who, make.held(training, who), content=EXPECTED)
        assert first.feedback["agreement"] == 1.0
        second = make.hand_in(training, who, first.next.work, content={"text": "Something else."})
        assert (second.feedback["agreement"], second.feedback["expected_shown"]) == (0.0, ["It is expected."])
        assert (second.next.work, second.next.reason) == (None, Reason.YOURS_DONE)
    assert list(products(study)) == list(rewrites(study)) == []


def test_a_qualification_is_scored_and_may_be_tried_again():
    study = make.study(items=4)
    exam = lessons(study, "qualification", "exam")
    rule = {"campaign": exam.slug, "pass_mark": 0.75, "tries": 2}
    campaign, who = make.campaign(study, eligibility={"qualification": rule}), make.person(study=study)
    assert make.claim(campaign, who).reason == Reason.NOT_QUALIFIED
    claim = make.claim(exam, who)
    for number in range(4):
        content = EXPECTED if number == 0 else {"text": "Wrong."}
        made = make.hand_in(exam, who, claim.work, content=content)
        assert made.feedback is None
        claim = made.next
    assert claim.reason == Reason.NOT_PASSED
    membership = CampaignMembership.objects.get(campaign=exam, person=who)
    assert (membership.score, membership.attempts) == (0.25, 1)
    assert "25%" in make.claim(campaign, who).sentences[0]
    assert numbers_of(exam, who, 9) == [1, 2, 3, 4]  # the second try, all as expected
    membership.refresh_from_db()
    assert (membership.score, membership.attempts) == (1.0, 2)
    assert make.claim(exam, who).reason == Reason.YOURS_DONE
    assert make.claim(campaign, who).work
    assert Answer.objects.filter(campaign=exam).count() == 8
    assert list(products(study)) == []


def test_who_failed_all_tries_gets_no_further_one():
    study = make.study(items=1)
    exam = lessons(study, "qualification", "exam")
    make.campaign(study, eligibility={"qualification": {"campaign": exam.slug, "pass_mark": 1.0, "tries": 1}})
    who = make.person(study=study)
    make.hand_in(exam, who, make.held(exam, who))
    claim = make.claim(exam, who)
    assert (claim.work, claim.reason) == (None, Reason.NOT_PASSED)


def test_a_training_without_expected_answers_does_not_start():
    study = make.study(items=1)
    training = create_campaign(study=study, name="training", task_type="rewrite", purpose="training")
    with pytest.raises(UserError, match="expected answers; without"):
        set_campaign_state(campaign=training, state="open", by=None)


def test_people_see_their_own_count_among_control_items(study):
    campaign = make.campaign(study, control_every=2, state="draft")
    expect(campaign, 12, 15, 18)
    set_campaign_state(campaign=campaign, state="open", by=None)
    who, seen = make.person(study=study), []
    for _ in range(4):
        claim = make.claim(campaign, who)
        seen.append(claim.number)
        make.hand_in(campaign, who, claim.work, content=EXPECTED)
    assert seen == [1, 2, 3, 4]
    client = Client()
    client.force_login(who)
    page = client.get(reverse("campaign_answers", args=[study.slug, campaign.slug])).content.decode()
    assert re.findall(r"Item (\d+)", page)[:4] == ["4", "3", "2", "1"]
