"""One browser with eight ids was eight people: now they are told as one, and kept off each other's items."""

import threading

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from support import campaigns as make
from support import crowd
from support.clients import as_person, with_token

from accounts.actions.erase_person import erase_person
from accounts.models import Person
from annotation.actions.answer_consent import answer_consent
from annotation.actions.enter_crowd import enter_crowd
from annotation.actions.release_crowd_participant import release_crowd_participant
from annotation.engine.assignment_queue import Reason
from annotation.models import Answer, Assignment, CampaignMembership, CrowdParticipant, DeviceUse

pytestmark = pytest.mark.django_db


def come(recruitment_link, external_id, browser, **seen):
    """Somebody who came in that browser and agreed."""
    participant = enter_crowd(
        recruitment_link=recruitment_link, external_id=external_id, browser=browser, **seen
    ).participant
    answer_consent(participant=participant, agrees=True)
    return participant.person


@pytest.fixture
def recruitment_link():
    return crowd.recruitment_link(make.study(items=3), site="other", overlap=3)


@pytest.fixture
def campaign(recruitment_link):
    return recruitment_link.campaign


def work_all(campaign, who):
    claim, done = make.claim(campaign, who), []
    while claim.work:
        done.append(claim.work.item)
        claim = make.hand_in(campaign, who, claim.work).next
    return done, claim.reason


def test_eight_ids_of_one_browser_do_each_item_once(recruitment_link, campaign):
    people = [come(recruitment_link, f"id{n}", "one browser") for n in range(8)]
    first, _ = work_all(campaign, people[0])
    assert len(first) == 3
    assert [work_all(campaign, who) for who in people[1:]] == [([], Reason.YOURS_DONE)] * 7
    other = come(recruitment_link, "id9", "another browser")
    assert len(work_all(campaign, other)[0]) == 3


def test_they_share_the_items_between_them(recruitment_link, campaign):
    ada, eve = come(recruitment_link, "a", "one browser"), come(recruitment_link, "b", "one browser")
    held = {make.held(campaign, ada).item, make.held(campaign, eve).item}
    assert len(held) == 2
    done = [*work_all(campaign, ada)[0], *work_all(campaign, eve)[0]]
    assert len(done) == len(set(done)) == 3


def test_who_sat_there_before_the_other_came_is_kept_off_from_then_on(recruitment_link, campaign):
    ada = come(recruitment_link, "a", "one browser")
    work = make.held(campaign, ada)
    eve = come(recruitment_link, "b", "one browser")
    assert make.held(campaign, eve).item != work.item
    assert make.hand_in(campaign, ada, work).next.work.item != make.held(campaign, eve).item
    assert {membership.person_id: membership.apart for membership in CampaignMembership.objects.all()} == {
        ada.pk: [eve.pk],
        eve.pk: [ada.pk],
    }


def test_work_under_a_lost_lease_does_not_fill_a_second_slot_of_an_item(recruitment_link, campaign):
    ada, eve = come(recruitment_link, "a", "one browser"), come(recruitment_link, "b", "one browser")
    work = make.held(campaign, ada)
    Assignment.objects.filter(pk=work.assignment).update(state=Assignment.State.FREE, annotator=None)
    assert make.held(campaign, eve).item == work.item
    assert make.hand_in(campaign, ada, work).late
    assert Answer.objects.get().late


def test_two_browsers_of_one_person_join_those_of_both(recruitment_link, campaign):
    ada, eve = come(recruitment_link, "a", "first browser"), come(recruitment_link, "b", "second browser")
    third = come(recruitment_link, "c", "third browser")
    release_crowd_participant(participant=CrowdParticipant.objects.get(person=ada), by=None)
    assert come(recruitment_link, "a", "second browser") == ada
    late = come(recruitment_link, "d", "first browser")
    work_all(campaign, ada)
    assert [len(work_all(campaign, who)[0]) for who in (eve, late, third)] == [0, 0, 3]


def test_another_study_knows_nothing_of_it(recruitment_link):
    come(recruitment_link, "a", "one browser")
    other = crowd.recruitment_link(make.study(items=1), site="other")
    eve = come(other, "b", "one browser")
    assert len(work_all(other.campaign, eve)[0]) == 1
    assert CampaignMembership.objects.get(campaign=other.campaign).apart == []


def test_a_claim_of_others_asks_nothing_more(recruitment_link, campaign):
    who = make.person(study=campaign.study)
    make.held(campaign, who)
    with CaptureQueriesContext(connection) as asked:
        make.held(campaign, who)
    sql = " ".join(one["sql"] for one in asked)
    assert "deviceuse" not in sql
    assert "advisory" not in sql
    assert "::int[]" not in sql


@pytest.mark.django_db(transaction=True)
def test_two_of_one_browser_who_claim_at_once_never_hold_one_item():
    recruitment_link = crowd.recruitment_link(make.study(items=4), site="other", overlap=4)
    people = [come(recruitment_link, f"id{n}", "one browser") for n in range(4)]
    ready = threading.Barrier(4)

    def claim(who):
        try:
            ready.wait()
            make.claim(recruitment_link.campaign, who)
        finally:
            connection.close()

    threads = [threading.Thread(target=claim, args=[who]) for who in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    leased = Assignment.objects.filter(state=Assignment.State.LEASED)
    assert leased.count() == leased.values("item").distinct().count() == 4


# What researchers see of it


def page(campaign, who, person):
    return as_person(who).get(reverse("campaign_worker", args=[campaign.study.slug, campaign.slug, person.pk]))


def test_the_researcher_sees_who_came_in_one_browser(recruitment_link, campaign):
    lead = make.person("researcher", campaign.study)
    ada, eve = come(recruitment_link, "a", "one browser"), come(recruitment_link, "b", "one browser")
    alone = come(recruitment_link, "c", "another")
    for who in (ada, eve, alone):
        make.held(campaign, who)
    make.hand_in(campaign, ada, make.held(campaign, ada))
    text = page(campaign, lead, ada).content.decode()
    assert "2 ids came in this one browser" in text
    assert str(eve) in text
    assert "came in this one browser" not in page(campaign, lead, alone).content.decode()
    address = reverse("api:campaign-worker", args=[campaign.study.slug, campaign.slug, ada.pk])
    (finding,) = with_token(lead).get(address).json()["findings"]
    assert (finding["check_name"], finding["count"]) == ("one_device", 1)
    recruitment_links = as_person(lead).get(reverse("campaign_entrances", args=[campaign.study.slug, campaign.slug]))
    assert recruitment_links.content.decode().count("one browser with") == 2


def test_an_address_alone_is_shown_and_keeps_nobody_off(recruitment_link, campaign):
    seen = {"address": "192.0.2.7", "agent": "Firefox"}
    people = [come(recruitment_link, f"id{n}", f"browser {n}", **seen) for n in range(3)]
    come(recruitment_link, "elsewhere", "browser 4", address="192.0.2.8", agent="Firefox")
    assert [len(work_all(campaign, who)[0]) for who in people] == [3, 3, 3]
    text = page(campaign, make.person("researcher", campaign.study), people[0]).content.decode()
    assert "3 people came from one network address" in text
    assert str(people[1]) in text


# What is kept


def test_nothing_that_is_kept_names_an_address_and_studies_cannot_be_joined(recruitment_link, settings):
    other = crowd.recruitment_link(make.study(items=1), site="other")
    for number, one in enumerate((recruitment_link, other, other)):
        client = Client(REMOTE_ADDR="192.0.2.7", headers={"user-agent": "Firefox 130"})
        assert client.get(reverse("crowd_enter", args=[one.secret]), {"id": f"id{number}"}).status_code == 302
    first, *second = DeviceUse.objects.order_by("pk")
    assert second[0].address == second[1].address != first.address
    assert second[0].agent == second[1].agent != first.agent
    with connection.cursor() as cursor:
        rows = cursor.execute("SELECT d::text FROM annotation_deviceuse d").fetchall()
    assert not [row for (row,) in rows if "192.0" in row or "Firefox" in row]
    before, settings.SECRET_KEY = first.address, "another key " * 5
    Client(REMOTE_ADDR="192.0.2.7").get(reverse("crowd_enter", args=[recruitment_link.secret]), {"id": "more"})
    assert DeviceUse.objects.latest("pk").address not in ("", before)


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [("2001:db8::1", "2001:db8::ffff", True), ("2001:db8::1", "2001:db8:0:1::1", False), ("x", "", True)],
)
def test_of_ipv6_the_network_counts(recruitment_link, one, two, same):
    for number, address in enumerate((one, two)):
        come(recruitment_link, f"id{number}", f"browser {number}", address=address)
    first, second = DeviceUse.objects.order_by("pk").values_list("address", flat=True)
    assert (first == second) is same


def test_visits_are_counted_and_who_is_erased_leaves_none(recruitment_link):
    person = come(recruitment_link, "a", "one browser")
    come(recruitment_link, "a", "one browser")
    assert DeviceUse.objects.get().visits == 2
    erase_person(person=Person.objects.get(pk=person.pk))
    assert not DeviceUse.objects.exists()


def test_a_refused_visit_is_no_visit(recruitment_link):
    come(recruitment_link, "a", "one browser")
    assert enter_crowd(recruitment_link=recruitment_link, external_id="a", browser="another").participant is None
    assert DeviceUse.objects.count() == 1
