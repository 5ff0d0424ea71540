"""What the work page shows before an item, and after one of a training."""

import re

import pytest
from django.urls import reverse
from support import campaigns as make

from annotation.actions.create_campaign import create_campaign
from annotation.actions.revise_guideline import revise_guideline
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.set_expected import set_expected
from foundation.errors import UserError

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
    assert "I have read the guideline" in client.get(address(campaign)).content.decode()


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
    assert 'name="text"' not in page  # the next item comes once this was read
    assert "Next item" in page
    assert 'name="text"' in client.get(address(training)).content.decode()


def lesson(study, task_type, expected, explanation="", **options):
    """A training with what is expected of its first item."""
    training = create_campaign(study=study, name="training", task_type=task_type, purpose="training", **options)
    item = training.items.get(number=1)
    content = expected(item.content) if callable(expected) else expected
    set_expected(item=item, content=content, by=None, explanation=explanation)
    return set_campaign_state(campaign=training, state="open", by=None)


def answered(client, training, **fields):
    """The page before the answer, and the one after it, without what stands between tags."""
    page = client.get(address(training)).content.decode()
    form = {**dict(HIDDEN.findall(page)), **fields}
    after = client.post(address(training, "campaign_submit"), form, headers={"HX-Request": "true"}).content.decode()
    return page, " ".join(re.sub(r"<[^>]+>", " ", after).split())


def test_a_training_ends_with_what_comes_next(client):
    study = make.study(items=1)
    client.force_login(make.person(study=study))
    training = lesson(study, "rewrite", {"text": "Expected."})
    answered(client, training, text="Mine.")
    page = client.get(address(training)).content.decode()
    assert "You have done all of this training" in page
    assert "The work that it prepares for appears on the page My work" in page
    assert f'href="{reverse("my_work")}"' in page
    assert "Other people must answer" not in page


def test_feedback_says_the_scales_words_hit_or_miss_and_why(client):
    study = make.study(items=1, systems=1)
    client.force_login(make.person(study=study))
    expected = {"ratings": [{"formality": 2, "fluency": 5, "meaning": 6}]}
    training = lesson(study, "rate", expected, "It says <b>must</b>, as in a letter.")
    before, after = answered(
        client, training, **{"rating-0-formality": "-1", "rating-0-fluency": "5", "rating-0-meaning": "6"}
    )
    assert "as in a letter" not in before
    assert "Partly as expected" in after
    assert "Formality Somewhat Informal (-1) Formal (2) Miss" in after
    assert after.count("Hit") == 2 + 1  # and the heading of the column
    assert "Why It says &lt;b&gt;must&lt;/b&gt;, as in a letter." in after


def test_of_a_ranking_the_places_are_told_and_of_a_verdict_its_word(client):
    study = make.study(items=1, systems=2)
    client.force_login(make.person(study=study))
    training = lesson(study, "best_worst", {"best": 1, "worst": 2})
    page = client.get(address(training)).content.decode()
    assert "Expected" not in page
    order = training.assignments.get().order
    best, worst = (order.index(number) + 1 for number in (1, 0))
    _, after = answered(client, training, best=str(best), worst=str(worst))
    assert "Not as expected" in after
    assert "Worst Best Miss" in after
    assert "Best Worst Miss" in after


def test_a_label_that_neither_gave_is_not_told(client):
    study = make.study(items=1, references=1)
    client.force_login(make.person(study=study))
    settings = {"of": "references", "labels": ["Slang", "Typo", "Emoji"]}
    training = lesson(study, "label", {"labels": ["Slang"], "none": False, "note": ""}, settings=settings)
    _, after = answered(client, training, work='{"labels": ["Slang", "Typo"], "none": false}')
    assert "Slang Yes Yes Hit" in after
    assert "Typo Yes No Miss" in after
    assert "Emoji" not in after


def test_shipped_labels_are_read_in_german_and_a_researchers_own_as_written(client):
    study = make.study(items=1, references=1)
    client.force_login(make.person(study=study, interface_language="de"))
    settings = {"of": "references", "labels": ["Draft", "Punctuation"]}
    training = lesson(study, "label", {"labels": ["Draft"], "none": False, "note": ""}, settings=settings)
    before, after = answered(client, training, work='{"labels": ["Draft", "Punctuation"], "none": false}')
    for page in (before, after):
        assert ("Draft" in page, "Entwurf" in page, "Zeichensetzung" in page) == (True, False, True)
    assert 'value="Punctuation"' in before


def test_the_explanation_of_a_control_item_never_leaves_the_server(client, study):
    campaign = make.campaign(study, control_every=1, state="draft")
    item = campaign.items.get(number=1)
    set_expected(item=item, content={"text": "Expected 1."}, by=None, explanation="A secret reason.")
    set_campaign_state(campaign=campaign, state="open", by=None)
    before, after = answered(client, campaign, text="Mine.")
    assert "A secret reason." not in before + after


def test_an_explanation_goes_with_its_expected_answer(study):
    training = lesson(study, "rewrite", {"text": "Expected."}, "  Because.\r\n ")
    item = training.items.get(number=1)
    assert item.explanation == "Because."
    set_expected(item=item, content=None, by=None)
    item.refresh_from_db()
    assert item.explanation == ""
    with pytest.raises(UserError, match="explanation"):
        set_expected(item=item, content={"text": "Expected."}, by=None, explanation="x" * 2001)


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
    campaign = make.campaign(study, eligibility={"credentials": ["md"]})
    page = client.get(address(campaign)).content.decode()
    assert "do not meet a requirement yet" in page
    assert "md" in re.search(r'class="because"[^>]*>([^<]*)', page)[1]


def test_who_read_an_earlier_guideline_reads_what_changed_and_answers_have_the_version_of_their_page(client, study):
    campaign = make.campaign(study, guideline="Be kind to **all** readers.")
    client.post(address(campaign, "campaign_read"), {"version": "1"})
    form = dict(HIDDEN.findall(client.get(address(campaign)).content.decode()))
    revise_guideline(campaign=campaign, text="Be brief to **all** readers.", by=None)
    htmx = {"HX-Request": "true"}
    refused = client.post(address(campaign, "campaign_submit"), {**form, "text": ""}, headers=htmx)
    assert (refused.status_code, "HX-Refresh" in refused) == (422, False)  # what they typed stays in their hands
    ahead = client.post(reverse("campaign_ahead", args=[study.slug, campaign.slug]), {"guideline": "1"})
    assert ahead.json()["items"] == []
    taken = client.post(address(campaign, "campaign_submit"), {**form, "text": "Mine."}, headers=htmx)
    assert taken["HX-Refresh"] == "true"
    assert campaign.answers.get().guideline_version == 1
    page = client.get(address(campaign)).content.decode()
    assert "Your guideline changed" in page
    assert '<del dir="auto">kind</del><ins dir="auto">brief</ins>' in page
    assert 'name="text"' not in page
    client.post(address(campaign, "campaign_read"), {"version": "2"})
    page = client.get(address(campaign)).content.decode()
    assert "Your guideline changed" not in page
    answer = {**dict(HIDDEN.findall(page)), "text": "Mine too."}
    client.post(address(campaign, "campaign_submit"), answer, headers=htmx)
    assert sorted(campaign.answers.values_list("guideline_version", flat=True)) == [1, 2]


def test_ones_own_answers_name_criteria_as_the_work_page_does(client):
    study = make.study(items=1, systems=1)
    who = make.person(study=study, interface_language="de")
    client.force_login(who)
    criteria = {"tone": {"scale": "fluency_5", "label": "Draft"}, "fluency": {"scale": "fluency_5"}}
    campaign = make.campaign(study, "rate", settings={"criteria": criteria})
    content = {"ratings": [{"tone": 2, "fluency": 3}]}
    make.hand_in(campaign, who, make.held(campaign, who), content=content)
    page = client.get(address(campaign, "campaign_answers")).content.decode()
    assert "Draft <strong>2</strong>" in page
    assert "Flüssigkeit <strong>3</strong>" in page
