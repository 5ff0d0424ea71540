"""Items leased ahead: as many as the campaign lets, in order, given back, and never an item in too many hands."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from support import campaigns as make

from annotation.actions.lease_ahead import give_back_ahead, lease_ahead
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.skip_item import skip_item
from annotation.blinding import Kind, browser_handle, handle_of
from annotation.engine.assignment_queue import free_leases
from annotation.engine.leases import lease_given
from annotation.models import Answer, Assignment, CampaignMembership
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
LEASED = Assignment.State.LEASED


@pytest.fixture
def study():
    return make.study(items=8)


@pytest.fixture
def campaign(study):
    return make.campaign(study, prefetch=3)


@pytest.fixture
def who(study):
    return make.person(study=study)


def ahead(campaign, who):
    return lease_ahead(study=campaign.study, campaign=campaign.slug, person=who)[1]


def give_back(campaign, who, works):
    only = [work.assignment for work in works]
    give_back_ahead(study=campaign.study, campaign=campaign.slug, person=who, only=only)


def numbers(works):
    return [work.number for work in works]


def test_the_next_items_are_leased_and_come_in_that_order(campaign, who):
    first = make.held(campaign, who)
    works = ahead(campaign, who)
    assert numbers(works) == [2, 3, 4]
    assert numbers(ahead(campaign, who)) == [2, 3, 4]  # the same again
    second = make.hand_in(campaign, who, first).next.work
    assert (second.number, second.lease) == (2, works[0].lease)
    assert numbers(ahead(campaign, who)) == [3, 4, 5]


def test_nobody_else_gets_them_and_what_is_given_back_is_free_in_its_order(campaign, who, study):
    make.held(campaign, who)
    works = ahead(campaign, who)
    other = make.person(study=study)
    assert make.held(campaign, other).number == 5
    give_back(campaign, who, works)
    assert make.held(campaign, who).number == 1
    assert make.held(campaign, make.person(study=study)).number == 2
    assert numbers(ahead(campaign, who)) == [3, 4, 6]


def test_answers_to_items_ahead_are_good_in_whatever_order_they_come(campaign, who):
    first = make.held(campaign, who)
    second, third, _fourth = ahead(campaign, who)
    for work in (third, first, second):
        made = make.hand_in(campaign, who, work)
        assert not made.late
    assert made.next.work.number == 4
    assert CampaignMembership.objects.get(person=who).done == 3
    assert not Assignment.objects.filter(state=Assignment.State.DONE, ahead=True).exists()


def test_what_is_kept_back_for_its_answer_stays(campaign, who):
    make.held(campaign, who)
    second, *rest = ahead(campaign, who)
    give_back(campaign, who, rest)
    assert list(campaign.assignments.filter(state=LEASED).values_list("position", flat=True)) == [1, 2]
    assert not make.hand_in(campaign, who, second).late


def test_an_expired_one_is_good_until_somebody_else_took_it(campaign, who, study):
    make.held(campaign, who)
    second, third, _fourth = ahead(campaign, who)
    campaign.assignments.filter(ahead=True).update(lease_expires_at=timezone.now() - timedelta(seconds=1))
    assert free_leases(campaign.pk) == 3
    assert make.held(campaign, make.person(study=study)).number == 2
    assert make.hand_in(campaign, who, second).late
    assert not make.hand_in(campaign, who, third).late
    assert Answer.objects.filter(person=who).count() == 2


@pytest.mark.parametrize("options", [{"prefetch": 0}, {"control_every": 4}, {"purpose": "training"}])
def test_some_campaigns_lease_nothing_ahead(study, who, options):
    campaign = make.campaign(study, **{"prefetch": 3, **options}, state="draft")
    campaign.items.update(expected={"text": "I have to see it."})
    set_campaign_state(campaign=campaign, state="open", by=None)
    make.held(campaign, who)
    assert ahead(campaign, who) == []
    assert campaign.assignments.filter(state=LEASED).count() == 1


def test_no_more_than_a_quota_lets(study, who):
    campaign = make.campaign(study, prefetch=5, eligibility={"quota": 3})
    work = make.held(campaign, who)
    assert numbers(ahead(campaign, who)) == [2, 3]
    make.hand_in(campaign, who, work)
    assert numbers(ahead(campaign, who)) == [3]


def test_nothing_is_leased_ahead_of_nothing(campaign, who):
    assert ahead(campaign, who) == []
    assert not campaign.assignments.filter(state=LEASED).exists()


def test_a_paused_campaign_takes_them_back(campaign, who):
    make.held(campaign, who)
    ahead(campaign, who)
    set_campaign_state(campaign=campaign, state="paused", by=None)
    assert ahead(campaign, who) == []
    assert not campaign.assignments.filter(ahead=True, state=LEASED).exists()


def test_a_bound_beyond_what_is_sensible_is_refused(study):
    with pytest.raises(UserError, match="Expected a number from 0 to 20"):
        make.campaign(study, prefetch=21)


def test_nothing_that_was_not_worked_at_counts(campaign, who):
    """Neither answers nor seconds: no minute counts twice, of however many items ahead."""
    first = make.held(campaign, who)
    works = ahead(campaign, who)
    make.time_passes(100)
    seconds = []
    for work in (first, *works):
        made = make.hand_in(campaign, who, work)
        seconds.append(Answer.objects.get(pk=made.answer).seconds)
    assert seconds == [None] * 4
    assert CampaignMembership.objects.get(person=who).done == 4


def test_seconds_of_items_ahead_are_no_more_than_passed(campaign, who, client):
    make.held(campaign, who)
    ahead(campaign, who)
    make.time_passes(100)
    client.force_login(who)
    for work in list(campaign.assignments.filter(state=LEASED).order_by("position")):
        assert post(client, campaign, "campaign_send", who, work, seconds="80").status_code == 200
    assert sum(Answer.objects.values_list("seconds", flat=True)) == pytest.approx(100, abs=1)


def test_a_skip_goes_on_with_the_next_that_was_ahead(campaign, who):
    first = make.held(campaign, who)
    ahead(campaign, who)
    acts = {"assignment": first.assignment, "lease": first.lease, "key": "7f1c0d0e-0000-4000-8000-000000000001"}

    acts["key"] = UUID(acts["key"])
    claim = skip_item(study=campaign.study, campaign=campaign.slug, person=who, **acts)
    assert claim.work.number == 2
    assert numbers(ahead(campaign, who)) == [3, 4, 5]


def post(client, campaign, name, who, work=None, **more):
    form = {"person": browser_handle(who.pk), **more}
    if work is not None:
        lease = lease_given(work.lease, who.pk, campaign.pk, work.pk)
        form |= {"slot": handle_of(Kind.ASSIGNMENT, work.pk, who.pk), "lease": str(lease)}
        form.setdefault("text", "I have to see it.")
        form.setdefault("key", f"7f1c0d0e-0000-4000-8000-{work.pk:012d}")
    return client.post(reverse(name, args=[campaign.study.slug, campaign.slug]), form)


def test_the_page_gets_them_as_it_will_show_them(campaign, who, client):
    make.held(campaign, who)
    client.force_login(who)
    told = post(client, campaign, "campaign_ahead", who).json()
    assert ["gotta see number 2" in told["items"][0]["html"], len(told["items"])] == [True, 3]
    assert told["renew"] == 200
    assert (
        post(client, campaign, "campaign_give_back", who, slot=[one["slot"] for one in told["items"][1:]]).status_code
        == 204
    )
    assert list(campaign.assignments.filter(ahead=True, state=LEASED).values_list("position", flat=True)) == [2]


def test_an_answer_that_is_sent_twice_is_there_once_and_one_that_does_not_fit_says_why(campaign, who, client):
    make.held(campaign, who)
    client.force_login(who)
    first = campaign.assignments.get(state=LEASED)
    refused = post(client, campaign, "campaign_send", who, first, key="no key")
    assert (refused.status_code, refused.json()["detail"]) == (422, "This page is out of date; reload it.")
    assert post(client, campaign, "campaign_send", who, first, person="somebody else").status_code == 409
    for _ in range(2):
        told = post(client, campaign, "campaign_send", who, first).json()
        assert told == {"late": "", "progress": {"done": "1", "today": "1"}}
    assert Answer.objects.count() == 1


def test_what_was_taken_back_before_it_was_known_to_be_stored_is_changed(campaign, who, client):
    """The page sent an answer, never heard of it, and its person took it back and wrote another."""
    make.held(campaign, who)
    client.force_login(who)
    work = campaign.assignments.get(state=LEASED)
    first, second, third = (str(uuid4()) for _ in range(3))
    assert post(client, campaign, "campaign_send", who, work, text="The first words", key=first).status_code == 200
    sent = post(client, campaign, "campaign_send", who, work, text="Other words", key=second, replaces=first)
    assert sent.status_code == 200, sent.content
    assert (
        post(client, campaign, "campaign_send", who, work, text="Other words", key=second, replaces=first).status_code
        == 200
    )
    shown = post(
        client, campaign, "campaign_submit", who, work, text="The last words", key=third, replaces=f"{first} {second}"
    )
    assert shown.status_code in (200, 302)
    given = Answer.objects.order_by("revision")
    assert [(one.revision, one.content["text"]) for one in given] == [
        (1, "The first words"), (2, "Other words"), (3, "The last words"),
    ]  # fmt: skip
    stranger = post(client, campaign, "campaign_send", who, work, text="Unseen words", key=str(uuid4()), replaces=first)
    assert stranger.status_code == 422  # what stands there is not what this page handed in
    assert (
        post(client, campaign, "campaign_send", who, work, text="x y", key=str(uuid4()), replaces="no key").status_code
        == 422
    )
    assert Answer.objects.count() == 3


def test_signing_out_gives_them_back_and_empties_the_browser(campaign, who, client):
    make.held(campaign, who)
    ahead(campaign, who)
    client.force_login(who)
    answer = client.post(reverse("account_logout"))
    assert answer["Clear-Site-Data"] == '"cache", "storage"'
    assert list(campaign.assignments.filter(state=LEASED).values_list("position", flat=True)) == [1]
    assert "Clear-Site-Data" not in Client().get("/accounts/login/")


def test_asking_again_costs_few_statements(campaign, who, client, django_assert_max_num_queries):
    make.held(campaign, who)
    ahead(campaign, who)
    with django_assert_max_num_queries(6):
        ahead(campaign, who)


@pytest.mark.django_db(transaction=True)
def test_people_who_race_never_have_an_item_too_often(transactional_db):
    study = make.study(items=12)
    campaign = make.campaign(study, prefetch=3, overlap=2)
    people = [make.person(study=study) for _ in range(4)]

    def work_through(who):
        try:
            claim = make.claim(campaign, who)
            while claim.work:
                works = ahead(campaign, who)
                if claim.context.done % 3 == 1:
                    give_back(campaign, who, works)
                claim = make.hand_in(campaign, who, claim.work).next
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work_through, people))
    for who in people:  # what somebody else had ahead when they stopped
        work_through(who)
    answers = Answer.objects.filter(late=False)
    keys = campaign.items.values_list("pk", flat=True)
    assert Counter(answers.values_list("item", flat=True)) == dict.fromkeys(keys, 2)
    assert Answer.objects.filter(late=True).count() == 0
