"""What the work page shows before an item, and after one of a training."""

import re

import pytest
from django.urls import reverse
from support import campaigns as make

from annotation.actions.create_campaign import create_campaign
from annotation.actions.revise_guideline import revise_guideline
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.set_expected import set_expected

pytestmark = pytest.mark.django_db
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


def address(campaign, name="campaign_work"):
    return reverse(name, args=[campaign.study.slug, campaign.slug])


@pytest.fixture
def study(client):
    made = make.study(items=2)
    client.force_login(make.person(study=made))
    return made


def test_the_guideline_is_read_before_the_first_item_and_again_when_it_is_new(client, study):
    campaign = make.campaign(study, guideline="Be kind.")
    page = client.get(address(campaign)).content.decode()
    assert "Be kind." in page
    assert 'name="text"' not in page
    version = dict(HIDDEN.findall(page))["version"]
    assert client.post(address(campaign, "campaign_read"), {"version": version}).status_code == 302
    assert 'name="text"' in client.get(address(campaign)).content.decode()
    revise_guideline(campaign=campaign, text="Be kinder.", by=None)
    page = client.get(address(campaign)).content.decode()
    assert "Be kinder." in page
    assert 'name="text"' not in page


def test_a_version_that_is_not_there_yet_cannot_be_read(client, study):
    campaign = make.campaign(study, guideline="Be kind.")
    client.post(address(campaign, "campaign_read"), {"version": "999"})
    revise_guideline(campaign=campaign, text="Be kinder.", by=None)
    assert "I have read it" in client.get(address(campaign)).content.decode()


@pytest.mark.parametrize("headers", [{"HX-Request": "true"}, {}])
def test_after_an_item_of_a_training_the_expected_answer_stands_beside_theirs(client, study, headers):
    training = create_campaign(study=study, name="training", task_type="rewrite", purpose="training")
    for item in training.items.all():
        set_expected(item=item, content={"text": f"Expected {item.number}."}, by=None)
    set_campaign_state(campaign=training, state="open", by=None)
    page = client.get(address(training)).content.decode()
    assert "Expected" not in page
    form = {**dict(HIDDEN.findall(page)), "text": "Mine."}
    page = client.post(address(training, "campaign_submit"), form, headers=headers).content.decode()
    assert "Expected 1." in page
    assert "Mine." in page
    assert "Expected 2." not in page
    assert 'name="text"' in page


def test_the_expected_answer_of_a_control_item_never_reaches_a_browser(client, study):
    campaign = make.campaign(study, control_every=1, state="draft")
    set_expected(item=campaign.items.get(number=1), content={"text": "Expected 1."}, by=None)
    set_campaign_state(campaign=campaign, state="open", by=None)
    page = client.get(address(campaign)).content.decode()
    form = {**dict(HIDDEN.findall(page)), "text": "Mine."}
    after = client.post(address(campaign, "campaign_submit"), form, headers={"HX-Request": "true"}).content.decode()
    assert "number 1 ," in page
    assert "number 2 ," in after
    assert "Expected 1." not in page + after


def test_a_rule_that_is_not_met_is_told_in_its_own_words(client, study):
    campaign = make.campaign(study, crew={"credentials": ["md"]})
    page = client.get(address(campaign)).content.decode()
    assert "asks for something more" in page
    assert "md" in re.search(r'class="because"[^>]*>([^<]*)', page)[1]
