"""What a screening decided becomes the standing of questions and documents: by majority, and ties are named."""

import pytest
from django.urls import reverse
from support import abstracts
from support import campaigns as make
from support.clients import as_person, with_token

from annotation.actions.adopt_screening import adopt_screening
from corpora.models import Document, Question
from foundation.errors import UserError

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return abstracts.study(abstracts.ASPIRIN, abstracts.ARABIC)


def say(campaign, *votes, focus="heart attack", kind="treatment", type="C"):
    """Somebody new screens the question: in or out for each abstract in order, or left out where nothing is given."""
    who = make.person("expert_annotator", campaign.study)
    keys = [str(pk) for pk in Document.objects.order_by("number").values_list("pk", flat=True)]
    codes = {"focus": focus, "kind": kind, "type": type, "documents": dict(zip(keys, votes, strict=False))}
    content = {"chosen": True, **codes} if votes else {"chosen": False}
    make.hand_in(campaign, who, make.held(campaign, who), content=content)


def standing():
    question = Question.objects.get()
    coded = (question.chosen, question.focus, question.kind, question.type)
    return coded, list(Document.objects.order_by("number").values_list("chosen", flat=True))


def test_one_screening_is_adopted_and_adopted_anew(study):
    campaign = abstracts.campaign(study, "screen", overlap=3)
    say(campaign, True, False)
    assert adopt_screening(campaign=campaign, by=None) == (1, 1, [])
    assert standing() == ((True, "heart attack", "treatment", "C"), [True, False])
    assert [item.document.number for item in abstracts.campaign(study, "adapt").items.all()] == [1]
    say(campaign)
    say(campaign)
    assert adopt_screening(campaign=campaign, by=None) == (0, 0, [])
    assert standing() == ((False, "", "", ""), [False, False])


def test_the_majority_counts_and_a_tie_stays_undecided(study):
    campaign = abstracts.campaign(study, "screen", overlap=5)
    say(campaign, True, False, focus="Heart attack")
    say(campaign, True, True, focus="heart  attack", kind="prognosis")
    say(campaign, True, False, focus="Heart attack", kind="prognosis", type="B")
    say(campaign, False, True, focus="aspirin", type="B")
    say(campaign)
    made = adopt_screening(campaign=campaign, by=None)
    assert (made.questions, made.documents) == (1, 1)
    assert made.ties == ["question q1 (kind)", "question q1 (type)", "abstract 31002"]
    assert standing() == ((True, "Heart attack", "", ""), [True, None])


def test_a_tied_question_leaves_its_documents_undecided(study):
    campaign = abstracts.campaign(study, "screen", overlap=2)
    say(campaign, True, True)
    say(campaign)
    assert adopt_screening(campaign=campaign, by=None).ties == ["question q1 (chosen or not)"]
    assert standing() == ((None, "", "", ""), [None, None])


def test_what_cannot_be_adopted_says_why(study):
    with pytest.raises(UserError, match="No question is screened yet"):
        adopt_screening(campaign=abstracts.campaign(study, "screen"), by=None)
    with pytest.raises(UserError, match="Only a campaign that screens"):
        adopt_screening(campaign=abstracts.campaign(study, "adapt"), by=None)


def test_the_page_and_the_endpoint_adopt_it(study):
    campaign = abstracts.campaign(study, "screen", overlap=2)
    researcher = make.person("researcher", study)
    client = as_person(researcher)
    address = [study.slug, campaign.slug]
    refused = client.post(reverse("campaign_adopt_screening", args=address))
    assert refused.status_code == 422
    assert "No question is screened yet." in refused.content.decode()
    say(campaign, True, True)
    say(campaign, True, False)
    page = client.post(reverse("campaign_adopt_screening", args=address), follow=True).content.decode()
    assert "Chosen now: 1 questions and 1 abstracts." in page
    assert "Undecided because of a tie: abstract 31002." in page
    assert "Adopt the screening" in page
    api = with_token(researcher)
    answer = api.post(reverse("api:campaign-adopt-screening", args=address))
    assert answer.json() == {"questions": 1, "documents": 1, "ties": ["abstract 31002"]}
