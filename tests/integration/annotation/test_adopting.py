"""What people made becomes texts of their study, and is taken back where it does not stand any more."""

import pytest
from support import campaigns as make
from support.clients import as_person
from support.documents import documents

from accounts.permissions import Role
from annotation.actions.adopt_gold import adopt_gold, stages_of, take_back_gold
from annotation.actions.review_answer import review_answer
from annotation.models import AdoptedReference, AdoptedSource, Answer
from corpora.actions.add_sources import add_sources
from corpora.actions.create_study import create_study
from corpora.actions.select_sources import select_sources
from corpora.models import DocumentSentence, Group, Output, Reference, Sentence, System
from corpora.source_selection import SelectionCriteria
from foundation.errors import UserError

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    made = create_study(slug="msd", title="MSD", styles=["expert", "lay"])
    documents(made)
    DocumentSentence.objects.filter(held=True).update(held=False, flags=[])
    Group.objects.filter(study=made).update(sampled=True)
    return made


def aligned(study):
    """Of each group the first sentences paired; the person who did it, and the campaign."""
    campaign = make.campaign(study, "align")
    who = make.person(Role.EXPERT_ANNOTATOR, study)
    while work := make.claim(campaign, who).work:
        make.hand_in(campaign, who, work, content={"pairs": [{"source": [0], "target": [0]}], "none": False})
    return campaign, who


def sources(study):
    rows = Sentence.objects.filter(direction__study=study).order_by("pk")
    return list(rows.values_list("pk", "direction__source_style", "text", "split", "references__text"))


def test_pairs_become_sources_both_ways_once(study):
    campaign, who = aligned(study)
    made = adopt_gold(campaign=campaign, by=None)
    before = sources(study)
    assert made.sources == len(before) == 2 * Group.objects.count()
    assert {split for *_, split, _ in before} == {"test"}
    here = {text: written for _, style, text, _, written in before if style == "expert"}
    there = {written: text for _, style, text, _, written in before if style == "lay"}
    assert here == there
    assert set(DocumentSentence.objects.filter(selected__isnull=False).values_list("text", flat=True)) == {
        *here, *here.values()
    }  # fmt: skip
    keys = list(Reference.objects.order_by("pk").values_list("pk", flat=True))
    again = adopt_gold(campaign=campaign, by=None)
    assert (again.sources, again.taken_back, again.references) == (0, 0, made.references)
    assert sources(study) == before
    assert list(Reference.objects.order_by("pk").values_list("pk", flat=True)) == keys
    assert set(AdoptedReference.objects.values_list("people", flat=True).distinct()[0]) == {who.pk}
    assert AdoptedReference.objects.filter(answer__person=who).count() == len(keys)


def test_what_was_rejected_since_is_taken_back_unless_something_stands_on_it(study):
    campaign, _ = aligned(study)
    adopt_gold(campaign=campaign, by=None)
    kept = Sentence.objects.order_by("pk").first()
    system = System.objects.create(study=study, number=1, name="one", origin="a test")
    Output.objects.create(system=system, sentence=kept, text="What it made.")
    reviewer = make.person(Role.REVIEWER, study)
    for answer in Answer.objects.all():
        review_answer(answer=answer, verdict="rejected", by=reviewer)
    made = adopt_gold(campaign=campaign, by=None)
    assert (made.taken_back, made.stay, made.references) == (2 * Group.objects.count() - 1, 1, 0)
    assert list(Sentence.objects.values_list("pk", flat=True)) == [kept.pk]
    assert not Reference.objects.exists()


def test_all_of_it_is_taken_back(study):
    campaign, _ = aligned(study)
    adopt_gold(campaign=campaign, alone=True, by=None)
    made = take_back_gold(campaign=campaign, by=None)
    assert made.references == 2 * Group.objects.count()
    assert not Sentence.objects.exists()
    assert not AdoptedSource.objects.exists()
    with pytest.raises(UserError, match="Nothing was adopted"):
        take_back_gold(campaign=campaign, by=None)


def test_sentences_that_stand_alone_are_to_train_on_unless_they_stand_in_a_pair(study):
    Group.objects.filter(element="Treatment").delete()
    campaign, _ = aligned(study)
    document = study.documents.get(style="expert")
    tested = DocumentSentence.objects.filter(document=document, section="Symptoms and Signs").order_by("number")[0].text
    DocumentSentence.objects.create(document=document, number=99, section="More", text=f" {tested.upper()} ")
    DocumentSentence.objects.create(document=document, number=100, section="More", text="It stands for itself.")
    made = adopt_gold(campaign=campaign, alone=True, by=None)
    paired = Sentence.objects.filter(split="test")
    alone = set(Sentence.objects.filter(split="train").values_list("text", flat=True))
    assert tested in set(paired.values_list("text", flat=True))
    assert made.left == {"the test split of this study": 1}
    assert "It stands for itself." in alone
    assert not {text.strip().lower() for text in alone} & {
        text.lower() for text in paired.values_list("text", flat=True)
    }


def test_a_sentence_that_was_selected_before_is_not_made_a_second_time(study):
    direction = study.directions.create(number=1, source_style="expert", target_style="lay")
    taken = len(select_sources(direction=direction, wish=SelectionCriteria()).taken)
    campaign, _ = aligned(study)
    adopt_gold(campaign=campaign, by=None)
    assert direction.sentences.count() == taken
    assert Reference.objects.filter(set__direction=direction).count() == Group.objects.count()
    assert study.directions.count() == 1  # the study says which directions it has


def test_rewrites_to_train_on_that_are_held_out_are_no_references():
    study = make.study(items=2)
    direction = study.directions.get()
    direction.sentences.update(split="train")
    add_sources(direction=direction, texts=["I have to see number 1!"], split="test")
    campaign = make.campaign(study, splits=["train"])
    who = make.person(study=study)
    for _ in range(2):
        make.hand_in(campaign, who, make.held(campaign, who))
    made = adopt_gold(campaign=campaign, by=None)
    assert made.left == {"the test split of this study": 1}
    assert list(Reference.objects.values_list("text", flat=True)) == ["I have to see number 2."]


def test_the_stages_of_one_piece_of_work_go_together():
    study = make.study(items=1)
    write = make.campaign(study, name="write")
    check = make.campaign(study, "verify", name="check", after=write)
    back = make.campaign(study, name="back", after=write, takes="farthest", state="draft")
    assert [one.slug for one in stages_of(check)] == [one.slug for one in stages_of(write)] == ["write", "check"]
    assert [one.slug for one in stages_of(back)] == ["back"]
    with pytest.raises(UserError, match="no gold to adopt"):
        adopt_gold(campaign=check, by=None)


def test_work_that_makes_no_texts_is_refused():
    study = make.study(items=1, systems=1)
    with pytest.raises(UserError, match="Only campaigns that make texts"):
        adopt_gold(campaign=make.campaign(study, "rate"), by=None)
    with pytest.raises(UserError, match="tune: Expected a number from 0 to 90"):
        adopt_gold(campaign=make.campaign(study), tune=100, by=None)


def test_page_and_endpoint_do_the_same(study):
    campaign, _ = aligned(study)
    client = as_person(make.person(Role.RESEARCHER, study))
    home = f"/studies/{study.slug}/campaigns/{campaign.slug}/"
    page = client.get(home).content.decode()
    assert "Create sources and references" in page
    count = 2 * Group.objects.count()
    done = client.post(f"{home}adopt/", {"tune": "20"}, follow=True).content.decode()
    assert f"References: {count} in 2 sets. New sources: {count}." in done
    done = client.post(f"{home}take-back/", follow=True).content.decode()
    assert f"Removed: {count} references and {count} sources." in done
    api = f"/api/studies/{study.slug}/campaigns/{campaign.slug}/adopt/"
    made = client.post(api, {"tune": 0}, content_type="application/json").json()
    assert made == {
        "reference_sets": 2, "references": count, "sources": count, "taken_back": 0,
        "references_taken_back": 0, "stay": 0, "left_out": {},
    }  # fmt: skip
    assert client.delete(api).json()["taken_back"] == count
    assert not Sentence.objects.exists()
