"""A campaign grows while it runs: further texts and more people an item, and who was done gets work again."""

import itertools
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from support import campaigns as make
from support.clients import as_person, with_token

from accounts.models import AuditEntry
from accounts.permissions import Role
from annotation.actions.grow_campaign import grow_campaign
from annotation.engine.assignment_queue import Reason
from annotation.models import Answer, Assignment
from corpora.actions.add_sources import add_sources
from corpora.models import Output, System
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.human_studies.preregistration import protocol_deviations
from foundation.errors import UserError

pytestmark = pytest.mark.django_db(transaction=True)


def work_through(campaign, person):
    """All that they get, in the order of the items, until they get no more; and why."""
    numbers = []
    while work := (claim := make.claim(campaign, person)).work:
        numbers.append(work.number)
        make.hand_in(campaign, person, work)
    return numbers, claim.reason


def more_texts(study, *texts):
    add_sources(direction=study.directions.get(), texts=list(texts))


def test_who_was_done_gets_the_new_texts_and_nothing_twice():
    study = make.study(items=3)
    campaign, one, two = make.campaign(study, overlap=2), make.person(study=study), make.person(study=study)
    assert work_through(campaign, one)[0] == work_through(campaign, two)[0] == [1, 2, 3]
    assert make.claim(campaign, one).reason == Reason.FINISHED
    more_texts(study, "a fourth text", "a fifth text", "a sixth text")
    assert grow_campaign(campaign=campaign, texts=2, by=None) == (2, 4)
    assert (campaign.size, campaign.overlap) == (5, 2)
    assert work_through(campaign, one) == ([4, 5], Reason.YOURS_DONE)
    assert grow_campaign(campaign=campaign, texts=None, by=None) == (1, 2)
    assert work_through(campaign, two)[0] == [4, 5, 6]
    texts = campaign.items.order_by("number").values_list("content__source", flat=True)
    assert [*texts][3:] == ["a fourth text", "a fifth text", "a sixth text"]


def test_more_people_an_item_are_others_than_those_who_did_it():
    study = make.study(items=2)
    campaign, one = make.campaign(study), make.person(study=study)
    work_through(campaign, one)
    assert grow_campaign(campaign=campaign, overlap=3, by=None) == (0, 4)
    assert work_through(campaign, one) == ([], Reason.YOURS_DONE)
    for _ in range(2):
        assert work_through(campaign, make.person(study=study))[0] == [1, 2]
    assert work_through(campaign, make.person(study=study)) == ([], Reason.FINISHED)
    per_item = Answer.objects.filter(campaign=campaign).values_list("item__number", "person")
    assert len(per_item) == len(set(per_item)) == 6


def test_both_at_once_while_somebody_holds_an_item():
    study = make.study(items=1)
    campaign, one = make.campaign(study), make.person(study=study)
    held = make.held(campaign, one)
    more_texts(study, "a second text")
    assert grow_campaign(campaign=campaign, texts=None, overlap=2, by=None) == (1, 3)
    make.hand_in(campaign, one, held)
    assert work_through(campaign, one)[0] == [2]
    assert work_through(campaign, make.person(study=study))[0] == [1, 2]


def test_new_items_judge_the_systems_of_the_old_ones_in_the_order_that_the_new_people_are_due():
    study = make.study(items=3, systems=2)
    campaign = make.campaign(study, "rank", overlap=1)
    later = System.objects.create(study=study, number=9, name="Later", origin="a test")
    more_texts(study, "a fourth text")
    for system, sentence in itertools.product(study.systems.all(), study.directions.get().sentences.all()):
        Output.objects.get_or_create(system=system, sentence=sentence, defaults={"text": f"{system.name} says it."})
    grow_campaign(campaign=campaign, texts=None, overlap=2, by=None)
    fourth = campaign.items.get(number=4)
    assert sorted(fourth.content["candidates"]) == sorted(f"{name} says it." for name in make.SYSTEMS[:2])
    assert later.name not in str(fourth.content)
    orders = Assignment.objects.filter(item__campaign=campaign).values_list("item__number", "order")
    turned = {number: {tuple(order) for at, order in orders if at == number} for number in (1, 2, 3, 4)}
    assert all(len(one) == 2 for one in turned.values()), "both people see the texts in one order"


def test_an_item_with_a_reported_problem_waits_for_its_reviewer_with_all_its_places():
    study = make.study(items=1)
    campaign, one = make.campaign(study), make.person(study=study)
    Assignment.objects.filter(pk=make.held(campaign, one).assignment).update(state=Assignment.State.HELD)
    grow_campaign(campaign=campaign, overlap=2, by=None)
    assert make.claim(campaign, make.person(study=study)).reason == Reason.HELD


@pytest.mark.parametrize(
    ("options", "asked", "sentence"),
    [
        ({}, {}, "Say how many further texts"),
        ({}, {"texts": None}, "already has all texts of the study"),
        ({}, {"texts": -1}, "texts: Expected a number from 0 to"),
        ({"overlap": 2}, {"overlap": 1}, "cannot go down"),
        ({"overlap": 2}, {"overlap": 101}, "Expected a number from 1 to 100"),
        ({"state": "draft"}, {"overlap": 3}, "open or paused"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_changes_nothing(options, asked, sentence):
    campaign = make.campaign(make.study(items=2), **options)
    before = (campaign.size, campaign.overlap, Assignment.objects.count())
    with pytest.raises(UserError, match=sentence):
        grow_campaign(campaign=campaign, **asked, by=None)
    campaign.refresh_from_db()
    assert (campaign.size, campaign.overlap, Assignment.objects.count()) == before


def test_where_the_plan_is_frozen_the_report_names_it():
    study = make.study(items=4, systems=2)
    planned = plan_human_study(
        study=study, name="Judging", criteria=[{"name": "formality", "scale": "formality_7"}], judgements=1, by=None
    )
    open_human_study(human_study=planned, by=None)
    campaign = planned.campaigns.get()
    assert not [one for one in protocol_deviations(planned) if "changed" in one]
    grow_campaign(campaign=campaign, overlap=2, by=None)
    said = " ".join(protocol_deviations(planned))
    assert "people per item" in said
    assert "1, and now 2" in said


def test_page_api_and_command_do_it_and_the_audit_log_says_who():
    study = make.study(items=2)
    campaign, lead = make.campaign(study), make.person(Role.RESEARCHER, study)
    address = [study.slug, campaign.slug]
    page = as_person(lead).get(reverse("campaign", args=address)).content.decode()
    assert reverse("campaign_grow", args=address) in page
    more_texts(study, "a third text", "a fourth text", "a fifth text")
    assert as_person(lead).post(reverse("campaign_grow", args=address), {"texts": 1, "overlap": 1}).status_code == 302
    answer = with_token(lead).post(reverse("api:campaign-grow", args=address), {"texts": 1}, "application/json")
    assert (answer.status_code, answer.json()) == (200, {"items": 1, "assignments": 1})
    said = StringIO()
    call_command("grow_campaign", *address, "--texts", "all", "--overlap", "2", stdout=said)
    assert said.getvalue() == "New items: 1. New work: 6 answers.\n"
    with pytest.raises(CommandError, match="a number, or all"):
        call_command("grow_campaign", *address, "--texts", "many")
    assert AuditEntry.objects.filter(action="grow_campaign", person=lead).count() == 2
    refused = as_person(lead).post(reverse("campaign_grow", args=address), {"overlap": 2})
    assert (refused.status_code, "Say how many further texts" in refused.content.decode()) == (422, True)
