"""A release says of its rows what they were made from: guidelines of all stages, and the agreement on its own texts."""

import pytest
from support import campaigns as make
from support.clients import as_person

from accounts.permissions import Role
from annotation.actions.adopt_gold import adopt_gold
from annotation.actions.make_release import make_release
from annotation.actions.review_answer import review_answer
from annotation.models import Answer

pytestmark = pytest.mark.django_db


def write(campaign, who, *texts):
    return [
        Answer.objects.get(pk=make.hand_in(campaign, who, make.held(campaign, who), content={"text": text}).answer)
        for text in texts
    ]


@pytest.fixture
def checked():
    """Three sentences that two people wrote each and a third person accepts."""
    study = make.study(items=3)
    first = make.campaign(study, name="Write", overlap=2, guideline="Write formally.")
    check = make.campaign(study, "verify", name="Check", after=first, guideline="Look closely.")
    ada, bob, carol = (make.person(study=study) for _ in range(3))
    answers = write(first, ada, "I see it.", "I hear it.", "I smell it.")
    write(first, bob, "I see it.", "I hear it.", "One cannot smell that at all.")
    while work := make.claim(check, carol).work:
        make.hand_in(check, carol, work, content={"verdict": "accept"})
    return study, answers, make.person(Role.REVIEWER, study), check


def released(study, changes=""):
    return make_release(study=study, settings={"forms": ["jsonl"]}, changes=changes)


def test_the_guidelines_of_all_stages_are_in_a_release(checked):
    release = released(checked[0])
    assert [guideline["text"] for guideline in release.guidelines] == ["Write formally.", "Look closely."]
    assert "**Write** (rewrite): 6 answers behind rows of later stages; 3 items" in release.datasheet
    assert "guideline version 1" in release.datasheet.partition("**Check**")[0]
    assert "0 rows" not in release.datasheet


def test_agreement_is_that_of_the_texts_in_the_release(checked):
    study, answers, reviewer, _ = checked
    before = released(study).datasheet
    assert "Of work in this release alone, as its authors gave it, before corrections by others." in before
    assert "beside the most experienced annotator: 1.0000" not in before
    assert "(n=3)" in before
    review_answer(answer=answers[2], verdict="rejected", by=reviewer)
    after = released(study, "One less.").datasheet
    assert "ROUGE-1, everybody beside the most experienced annotator: 1.0000 (n=2)" in after
    assert "(n=3)" not in after


def fixed(answer, reviewer):
    review_answer(answer=answer, verdict="fixed", content={"text": "I do see it."}, by=reviewer)


def test_a_release_says_what_is_missing_and_why(checked):
    study, answers, reviewer, check = checked
    released(study)
    fixed(answers[0], reviewer)
    review_answer(answer=answers[1], verdict="rejected", by=reviewer)
    review_answer(answer=answers[2], verdict="returned", by=reviewer)
    second = released(study, "Three less.")
    assert second.counts["compared"] == {"added": 0, "removed": 3, "changed": 0}
    assert second.counts["missing"] == {"waits": 1, "rejected": 1, "withdrawn": 1}
    reasons = "waiting for a check or a review (1), rejected (1), returned, dropped or withdrawn (1)."
    said = f"Rows removed, by reason: {reasons}"
    assert said in second.datasheet
    client = as_person(make.person(Role.RESEARCHER, study))
    page = client.get(f"/studies/{study.slug}/gold/releases/{second.number}/").content.decode()
    assert said in page
    who = make.person(study=study)
    make.hand_in(check, who, make.held(check, who), content={"verdict": "reject", "reason": "It does not read well"})
    review_answer(answer=answers[1], verdict="accepted", by=reviewer)
    third = released(study, "One is back.")
    assert (third.counts["compared"]["added"], third.counts["missing"]) == (1, {})


def test_an_adoption_counts_the_references_that_it_takes_back(checked):
    study, answers, reviewer, _ = checked
    campaign = study.campaigns.get(slug="write")
    made = adopt_gold(campaign=campaign, by=None)
    assert (made.references, made.references_taken_back) == (6, 0)
    fixed(answers[0], reviewer)
    again = adopt_gold(campaign=campaign, by=None)
    assert (again.references, again.taken_back, again.references_taken_back) == (5, 0, 1)
