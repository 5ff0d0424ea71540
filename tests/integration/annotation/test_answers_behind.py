"""A release says of its rows what they were made from: guidelines of all stages, and the agreement on its own texts."""

import pytest
from support import campaigns as make

from accounts.permissions import Role
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
