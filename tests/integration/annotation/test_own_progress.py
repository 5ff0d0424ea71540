"""What somebody is told of their own progress in a campaign, and their goal for the day."""

import re
from dataclasses import replace
from decimal import Decimal

import pytest
from django.urls import reverse
from support import campaigns as make
from support.clients import with_token

from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.set_daily_goal import set_daily_goal
from annotation.actions.set_expected import set_expected
from annotation.actions.skip_item import skip_item
from annotation.models import CampaignMembership
from annotation.progress.own_progress import (
    ENOUGH,
    FEW,
    MOST,
    is_to_be_counted,
    own_progress,
    own_progress_of_all,
    progress_at_hand,
)
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def study():
    return make.study(items=8)


@pytest.fixture
def person(study):
    return make.person(study=study)


def hand_in(campaign, who, times, **options):
    for _ in range(times):
        make.hand_in(campaign, who, make.held(campaign, who), **options)


def address(campaign, name="campaign_work"):
    return reverse(name, args=[campaign.study.slug, campaign.slug])


@pytest.mark.parametrize("overlap", [1, 3])
def test_what_is_left_is_what_the_person_may_still_get(study, person, overlap):
    campaign = make.campaign(study, overlap=overlap)
    assert own_progress(campaign.pk, person).left == 8
    hand_in(campaign, person, 3)
    progress = own_progress(campaign.pk, person)
    assert (progress.done, progress.left, progress.total, progress.today) == (3, 5, 8, 3)
    make.held(campaign, person)
    assert own_progress(campaign.pk, person).left == 5  # the one in their hands is left to do
    other = make.person(study=study)
    hand_in(campaign, other, 6 if overlap > 1 else 4)
    assert own_progress(campaign.pk, person).left == (5 if overlap > 1 else 1)


def test_an_item_that_somebody_had_a_hand_in_is_not_left_for_them(study, person):
    first = make.campaign(study)
    second = make.campaign(study, "verify", after=first)
    hand_in(first, person, 2)
    assert own_progress(second.pk, person).left == 0
    assert own_progress(second.pk, make.person(study=study)).left == 2


def test_a_quota_bounds_what_is_left(study, person):
    campaign = make.campaign(study, eligibility={"quota": 3})
    hand_in(campaign, person, 2)
    assert own_progress(campaign.pk, person).left == 1


def test_topics_that_are_not_theirs_are_not_left(study, person):
    campaign = make.campaign(study, eligibility={"by_topic": True})
    campaign.assignments.filter(position__lte=4).update(topic="asthma")
    known = campaign.assignments.exclude(topic="asthma").count()
    assert own_progress(campaign.pk, person).left == known
    person.topics = ["Asthma"]
    assert own_progress(campaign.pk, person).left == 8


def test_where_control_items_are_given_nothing_tells_what_is_left(study, person):
    campaign = make.campaign(study, control_every=2, state="draft")
    set_expected(item=campaign.items.get(number=1), content={"text": "Expected."}, by=None)
    set_campaign_state(campaign=campaign, state="open", by=None)
    hand_in(campaign, person, ENOUGH, seconds=20)
    progress = own_progress(campaign.pk, person)
    assert (progress.done, progress.left, progress.hours, progress.total) == (ENOUGH, None, None, None)


def test_the_items_of_a_training_are_counted_until_all_are_done(study, person):
    training = make.campaign(study, purpose="training", state="draft")
    for item in training.items.filter(number__lte=3):
        set_expected(item=item, content={"text": "Expected."}, by=None)
    set_campaign_state(campaign=training, state="open", by=None)
    assert own_progress(training.pk, person).left == 3
    hand_in(training, person, 2)
    assert own_progress(training.pk, person).left == 1


def test_the_pace_is_told_after_enough_items_and_is_the_median(study, person):
    campaign = make.campaign(study)
    for seconds in (600, 10, 30, 20):
        hand_in(campaign, person, 1, seconds=seconds)
    assert own_progress(campaign.pk, person).hours is None
    hand_in(campaign, person, 1, seconds=40)
    assert own_progress(campaign.pk, person).hours == pytest.approx(3 * 30 / 3600)


def test_items_that_were_passed_by_tell_nothing_of_the_pace(study, person):
    campaign = make.campaign(study)
    hand_in(campaign, person, ENOUGH - 1, seconds=30)
    work = make.held(campaign, person)
    skip_item(
        study=study, campaign=campaign.slug, person=person, assignment=work.assignment, lease=work.lease,
        key=work.lease, seconds=1.0,
    )  # fmt: skip
    assert own_progress(campaign.pk, person).hours is None


def test_what_is_due_follows_the_campaigns_pay(study, person):
    pay = {"currency": "GBP", "item": 0.2, "hour": 36, "minutes": 1}
    campaign = make.campaign(study, pay=pay)
    assert own_progress(campaign.pk, person).due == Decimal("0.00")
    hand_in(campaign, person, 2, seconds=30)
    hand_in(campaign, person, 1, seconds=500)  # paid as the minute that is planned
    CampaignMembership.objects.update(rejected=1)
    progress = own_progress(campaign.pk, person)
    assert (progress.due, progress.currency) == (Decimal("0.40") + Decimal("1.20"), "GBP")
    unpaid = make.campaign(study, name="unpaid")
    assert own_progress(unpaid.pk, person).due is None


def test_more_than_so_many_are_not_counted_one_by_one(person):
    study = make.study(items=MOST + 50)
    campaign, who = make.campaign(study), make.person(study=study)
    progress = own_progress(campaign.pk, who)
    assert (progress.left, progress.is_more, progress.total, progress.hours) == (MOST, True, None, None)


def test_however_many_campaigns_it_is_one_statement(study, person, django_assert_num_queries):
    campaigns = [make.campaign(study, name=f"Campaign {number}") for number in range(4)]
    with django_assert_num_queries(1):
        progress = own_progress_of_all([campaign.pk for campaign in campaigns], person)
    assert {one.left for one in progress.values()} == {8}
    with django_assert_num_queries(0):
        assert own_progress_of_all([], person) == {}


def test_the_work_page_says_it_and_each_answer_brings_its_numbers(study, person, client):
    campaign = make.campaign(study, pay={"currency": "EUR", "item": 0.5})
    client.force_login(person)
    page = client.get(address(campaign)).content.decode()
    assert words(page) == ["0 done", "8 left", "0.00 EUR due"]
    form = {**hidden(page), "text": "I must see it."}
    answer = client.post(address(campaign, "campaign_submit"), form, **HTMX).content.decode()
    assert "work-progress" not in answer  # the page draws its line by the numbers, and counts down what is left
    assert numbers(answer) == {"done": "1", "today": "1", "due": "0.50"}
    assert words(client.get(address(campaign)).content.decode()) == ["1 done", "7 left", "0.50 EUR due", "1 today"]


def test_what_is_left_is_counted_anew_where_the_page_knows_of_few_and_after_every_act_but_an_answer(
    study, person, client
):
    campaign = make.campaign(study)
    client.force_login(person)
    form = {**hidden(client.get(address(campaign)).content.decode()), "text": "I must see it.", "left": str(FEW)}
    answer = client.post(address(campaign, "campaign_submit"), form, **HTMX).content.decode()
    assert numbers(answer) == {"done": "1", "today": "1", "left": "7"}
    skipped = client.post(address(campaign, "campaign_skip"), hidden(answer), **HTMX).content.decode()
    assert numbers(skipped) == {"done": "1", "today": "1", "left": "6"}
    assert is_to_be_counted(own_progress(campaign.pk, person), "") is False
    hand_in(campaign, person, 1)
    assert [is_to_be_counted(own_progress(campaign.pk, person), left) for left in ("0", "٣", "x", "9" * 30)] == [
        True, False, False, False,
    ]  # fmt: skip


def test_the_numbers_of_an_answer_are_those_of_the_page(study, person):
    pay = {"currency": "GBP", "item": 0.2, "hour": 36, "minutes": 1}
    campaign = make.campaign(study, pay=pay)
    set_daily_goal(campaign=campaign, person=person, goal=3)
    for seconds in (600, 10, 30.25, 20, 40):
        hand_in(campaign, person, 1, seconds=seconds)
    told = own_progress(campaign.pk, person)
    at_hand = progress_at_hand(make.claim(campaign, person).context)
    assert replace(told, left=None) == at_hand
    assert (at_hand.pace, at_hand.goal, at_hand.today) == (30.25, 3, 5)


def test_a_goal_is_kept_and_taken_away(study, person, client):
    campaign = make.campaign(study)
    client.force_login(person)
    line = client.post(address(campaign, "campaign_goal"), {"goal": "2"}, **HTMX).content.decode()
    assert "0 of 2 today" in words(line)
    hand_in(campaign, person, 2)
    page = client.get(address(campaign)).content.decode()
    assert "2 of 2 today" in words(page)
    assert 'class="reached"' in page
    assert client.post(address(campaign, "campaign_goal"), {"goal": ""}).status_code == 302
    assert CampaignMembership.objects.get(person=person).goal is None


@pytest.mark.parametrize("goal", ["0", "-3", "many", "10001", "٣", "9" * 30])
def test_what_is_no_goal_changes_nothing(study, person, client, goal):
    campaign = make.campaign(study)
    set_daily_goal(campaign=campaign, person=person, goal=7)
    client.force_login(person)
    answer = client.post(address(campaign, "campaign_goal"), {"goal": goal}, **HTMX)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert CampaignMembership.objects.get(person=person).goal == 7


def test_a_goal_is_set_over_the_api_too(study, person):
    campaign = make.campaign(study)
    api = with_token(person)
    url = f"/api/studies/{study.slug}/campaigns/{campaign.slug}/goal/"
    assert api.put(url, {"goal": 25}, content_type="application/json").json() == {"goal": 25}
    (row,) = api.get("/api/me/work/").json()
    assert (row["goal"], row["left"], row["today"], row["hours_left"]) == (25, 8, 0, None)
    assert api.put(url, {"goal": 0}, content_type="application/json").status_code == 400
    with pytest.raises(UserError, match="from 1"):
        set_daily_goal(campaign=campaign, person=person, goal=0)


def hidden(page):
    return dict(re.findall(r'name="(slot|lease|key|guideline)" value="([^"]+)"', page))


def numbers(answer):
    """What the fragment tells of their progress."""
    section = re.search(r'<section id="work"[^>]*>', answer)[0]
    return dict(re.findall(r'data-(done|today|due|pace|left|more)="([^"]*)"', section))


def words(page):
    """The entries of the line, in their order."""
    line = re.search(r'<ul class="quiet-line num">(.*?)</ul>', page, re.DOTALL)[1]
    return [" ".join(entry.split()) for entry in re.findall(r"<li[^>]*>(.*?)</li>", line, re.DOTALL)]
