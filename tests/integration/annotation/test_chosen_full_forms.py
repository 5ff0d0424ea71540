"""The full forms that somebody chose before are offered to them again, and to nobody else."""

from uuid import uuid4

import pytest
from django.urls import reverse
from support import campaigns as make
from support import stage_items

from annotation.actions.read_guideline import read_guideline
from annotation.actions.revise_answer import revise_answer
from annotation.models import Answer
from annotation.views.work import MOST, chosen_full_forms

pytestmark = pytest.mark.django_db
SOURCES = ["Pt with CAD and COPD .", "CAD again , on 2L NC .", "No abbreviation here .", "CAD , CAD and NC ."]


@pytest.fixture
def study():
    return make.study(items=1)


def campaign_of(study, **settings):
    contents = [{"source": text, "split": "test"} for text in SOURCES]
    return stage_items.campaign_of(study, "rephrase_simplify", contents, addressed=False, **settings)


def spans(source, **forms):
    """The first mark of each abbreviation, with its full form."""
    return [
        {"start": source.index(term), "end": source.index(term) + len(term), "full": full}
        for term, full in forms.items()
    ]


def write(campaign, who, **forms):
    work = make.held(campaign, who)
    source = work.content["source"]
    content = {"spans": spans(source, **forms), "simplified": "It is said plainly.", "unchanged": False, "final": False}
    return Answer.objects.get(pk=make.hand_in(campaign, who, work, content=content).answer)


def offered(campaign, who):
    work = make.held(campaign, who)
    return chosen_full_forms(campaign.assignments.select_related("campaign", "item").get(pk=work.assignment), who)


def test_ones_own_forms_of_the_abbreviations_at_hand_are_offered(study):
    campaign, who = campaign_of(study), make.person(study=study)
    assert offered(campaign, who) == {}
    write(campaign, who, CAD="coronary artery disease", COPD="chronic obstructive pulmonary disease")
    assert offered(campaign, who) == {"CAD": ["coronary artery disease"]}  # COPD is not in this sentence
    write(campaign, who, CAD="heart disease", NC="nasal cannula")
    assert offered(campaign, who) == {}


def test_what_others_chose_is_never_offered(study):
    campaign = campaign_of(study)
    other, who = make.person(study=study), make.person(study=study)
    write(campaign, other, CAD="coronary artery disease")
    assert offered(campaign, who) == {}


def test_the_usual_form_comes_first_and_at_most_a_few(study):
    campaigns = [campaign_of(study) for _ in range(6)]
    who = make.person(study=study)
    for campaign, form in zip(campaigns, ["a b", "c d", "c d", "e f", "g h"], strict=False):
        write(campaign, who, CAD=form)
    (first, *rest) = offered(campaigns[-1], who)["CAD"]
    assert first == "c d"
    assert len(rest) == MOST - 1


def test_a_form_that_was_taken_back_is_not_offered(study):
    campaign, who = campaign_of(study), make.person(study=study)
    answer = write(campaign, who, CAD="computer-aided design")
    changed = {**answer.content, "spans": spans(SOURCES[0], CAD="coronary artery disease")}
    revise_answer(answer=answer, person=who, key=uuid4(), content=changed)
    assert offered(campaign, who) == {"CAD": ["coronary artery disease"]}


def test_another_study_is_not_looked_into(study):
    who = make.person(study=study)
    write(campaign_of(study), who, CAD="coronary artery disease")
    elsewhere = campaign_of(make.study(items=1))
    elsewhere.study.memberships.create(person=who, role="crowd_annotator")
    assert offered(elsewhere, who) == {}


def test_where_the_design_forbids_it_nothing_is_offered(study, client):
    who = make.person(study=study)
    write(campaign_of(study), who, CAD="coronary artery disease")
    again = campaign_of(study, remember_forms=False)
    assert offered(again, who) == {}
    read_guideline(campaign=again, person=who, version=1)
    client.force_login(who)
    page = client.get(reverse("campaign_work", args=[study.slug, again.slug])).content.decode()
    assert "data-forms" not in page


def test_the_page_asks_for_the_item_in_ones_own_hands_alone(study, client):
    campaign, who, other = campaign_of(study), make.person(study=study), make.person(study=study)
    write(campaign, who, CAD="coronary artery disease")
    read_guideline(campaign=campaign, person=who, version=1)
    client.force_login(who)
    work = reverse("campaign_work", args=[study.slug, campaign.slug])
    page = client.get(work).content.decode()
    address = page.split('data-forms="', 1)[1].split('"', 1)[0]
    assert client.get(address).json() == {"CAD": ["coronary artery disease"]}
    assert client.get(work + "forms/?slot=nonsense").json() == {}
    client.force_login(other)
    assert client.get(address).json() == {}
