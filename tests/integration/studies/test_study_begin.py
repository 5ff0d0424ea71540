"""The page that makes a study from a template, and what its overview says comes next."""

import pytest
from django.urls import reverse
from support.campaigns import hand_in, held, person
from support.clients import as_person, with_token

from annotation.actions.begin_study import begin_study
from annotation.actions.make_release import make_release
from annotation.actions.review_answer import review_answer
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.models import Answer
from corpora.actions.add_documents import add_documents
from corpora.actions.decide_flags import decide_flags
from corpora.actions.select_sources import select_sources
from corpora.formats import RawDocument, RawSection
from corpora.models import DocumentSentence, Study
from corpora.source_selection import SelectionCriteria
from studies.progress import tasks_of

pytestmark = pytest.mark.django_db
TEXTS = ("gotta say this movie was sooo good", "my buddy Mr. Tom Miller hates it, call 555-123-4567")


def test_a_study_is_made_from_a_template():
    browser = as_person(person("researcher"))
    assert b"Formality (GYAFC)" in browser.get(reverse("study_begin")).content
    answer = browser.post(reverse("study_begin"), {"template": "msd", "title": "Our manuals", "slug": ""})
    assert answer.url == reverse("study", args=["our-manuals"])
    study = Study.objects.get()
    assert (study.template, study.styles) == ("msd", ["expert", "layman"])
    page = browser.get(answer.url).content.decode()
    assert "Next steps" in page
    assert "Link the versions and sample groups" in page
    assert "Pair the sentences" in page


@pytest.mark.parametrize("given", [{"template": "gyaf"}, {"template": ""}, {"title": ""}, {"slug": "Not So"}])
def test_a_fault_stands_on_the_page(given):
    browser = as_person(person("researcher"))
    answer = browser.post(reverse("study_begin"), {"template": "msd", "title": "T", "slug": "t", **given})
    assert answer.status_code == 422
    assert not Study.objects.exists()


def test_the_api_lists_the_templates_and_begins_a_study():
    api = with_token(person("researcher"))
    listed = api.get(reverse("api:template-list")).json()
    assert [one["name"] for one in listed] == ["gyafc", "medlane", "msd", "plaba"]
    assert [stage["slug"] for stage in listed[2]["stages"]] == ["align", "verify"]
    asked = {"template": "medlane", "slug": "notes", "title": "Notes"}
    answer = api.post(reverse("api:template-list"), asked, content_type="application/json")
    assert (answer.status_code, answer.json()) == (201, asked)
    assert Study.objects.get().campaigns.count() == 6
    again = api.post(reverse("api:template-list"), asked, content_type="application/json")
    assert (again.status_code, "already" in again.json()["detail"]) == (400, True)


def test_a_study_without_a_template_has_no_checklist():
    assert tasks_of(Study(template="")) == []
    assert tasks_of(Study(template="gone")) == []


def following(study):
    return next((task.title for task in tasks_of(study) if task.state == "next"), None)


def test_the_next_step_is_worked_out_from_what_there_is():
    study = begin_study(template="gyafc", slug="posts", title="Posts")
    assert following(study) == "Import the texts"
    add_documents(study=study, documents=[RawDocument((RawSection("", TEXTS),))], style="informal")
    assert following(study) == "Decide on likely identifiers"
    decide_flags(study=study, sentences=DocumentSentence.objects.filter(held=True), decision="drop")
    assert following(study) == "Select the sources"
    direction = study.directions.get(source_style="informal")
    select_sources(direction=direction, wish=SelectionCriteria("gyafc"), split="train")
    assert following(study) == "Select the sources"  # the paper drew for each split
    direction.sentences.create(number=9, text="i dont know what ur talking about", split="tune")
    direction.sentences.create(number=10, text="he aint gonna call u back ever", split="test")
    assert following(study) == "Invite the people"
    writer, reviewer = person("crowd_annotator", study), person("reviewer", study)
    assert following(study) == "Formal rewrites to train on"
    train = set_campaign_state(campaign=study.campaigns.get(slug="formal-train"), state="open", by=None)
    hand_in(train, writer, held(train, writer))
    assert following(study) == "Formal rewrites to train on"
    review = next(task for task in tasks_of(study) if task.title.startswith("Review"))
    assert review.has == "1 answer waits"
    review_answer(answer=Answer.objects.get(), verdict="accepted", by=reviewer)
    assert following(study) == "Formal references to tune and test with"
    for slug in ("formal-references", "informal-references"):
        study.campaigns.filter(slug=slug).update(state="closed")
    assert following(study) == "Release the gold"  # the kinds of edits are optional
    make_release(study=study, settings={"forms": ["jsonl"]})
    assert following(study) is None
