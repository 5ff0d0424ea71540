"""Documents that come after a release: they take a split that leaks nothing, or no release takes them."""

import pytest
from django.db import IntegrityError, transaction
from support import abstracts
from support import campaigns as make
from support.clients import as_person

from accounts.permissions import Role
from annotation.actions.adopt_gold import adopt_gold
from annotation.actions.make_release import make_release
from corpora.actions.add_documents import add_documents
from corpora.actions.assign_splits import assign_splits
from corpora.formats import RawDocument, RawQuestion, RawSection
from corpora.models import Document
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
HALF = {"train": 50, "tune": 0, "test": 50}


def came(study, code, question, *texts):
    asked = RawQuestion(question) if question else None
    raw = RawDocument((RawSection("", texts),), code=code, question=asked)
    add_documents(study=study, style="informal", documents=[raw])
    return study.documents.get(code=code)


@pytest.fixture
def study():
    """Four questions with an abstract each, split by question, all adapted and released."""
    made = make.study(items=1)
    for number in range(4):
        came(made, f"a{number}", f"q{number}", *(f"Sentence {place} of {number}." for place in range(3)))
    assign_splits(study=made, rule="question", proportions=HALF)
    adapt(made, abstracts.campaign(made, "adapt"))
    make_release(study=made, settings={"forms": ["jsonl"]})
    return made


def adapt(study, campaign):
    who = make.person(Role.EXPERT_ANNOTATOR, study)
    while work := make.claim(campaign, who).work:
        written = [
            {"number": one["number"], "operation": "rewritten", "targets": [f"Plainly: {one['text']}"], "reason": ""}
            for one in work.content["sentences"]
        ]
        make.hand_in(campaign, who, work, content={"sentences": written})


def split_again(study, rule="question"):
    counts = assign_splits(study=study, rule=rule, proportions=HALF)
    return dict(study.documents.values_list("code", "split")), counts


@pytest.mark.parametrize("rule", ["question", "document", "random"])
def test_a_later_document_takes_the_split_of_its_question(study, rule):
    before = dict(study.documents.values_list("code", "split"))
    for number in range(4):
        came(study, f"b{number}", f"q{number}", f"Later one {number}.", f"Later two {number}.")
    after, counts = split_again(study, rule)
    assert {code: split for code, split in after.items() if code in before} == before
    assert {code: after[f"b{code[1]}"] for code in before} == before
    assert counts["documents"] == {"train": 2, "test": 2}
    with pytest.raises(UserError, match="The splits are frozen"):
        split_again(study)


def test_a_later_document_of_released_sentences_takes_their_split(study):
    tested = study.documents.filter(split="test").first()
    copied = [sentence.text.upper() for sentence in tested.sentences.all()]
    came(study, "copy", "", *copied, "One more.")
    came(study, "shares", "q9", copied[0], "Of its own.", "Of its own too.")
    after, _ = split_again(study)
    assert after["copy"] == "test"
    assert after["shares"] == "train"  # drawn: test has one more


def test_new_questions_are_drawn_to_the_proportions_of_the_whole_study(study):
    for number in range(6):
        came(study, f"n{number}a", f"new {number}", f"Of {number}.")
        came(study, f"n{number}b", f"new {number}", f"Also of {number}.")
    after, counts = split_again(study)
    assert counts["documents"] == {"train": 6, "test": 6}
    assert all(after[f"n{number}a"] == after[f"n{number}b"] for number in range(6))


def test_nothing_without_a_split_falls_into_test(study):
    late = came(study, "late", "q0", "It came late.")
    campaign = study.campaigns.get()
    made = abstracts.campaign(study, "adapt")
    adapt(study, made)
    for act in (
        lambda: make_release(study=study, settings={"forms": ["jsonl"]}, changes="More."),
        lambda: adopt_gold(campaign=made, by=None),
        lambda: make_release(study=study, settings={"forms": ["jsonl"], "alone": True,
                                                    "campaigns": [campaign.slug]}, changes="More."),
    ):  # fmt: skip
        with pytest.raises(UserError, match="no split"):
            act()
    with pytest.raises(IntegrityError, match="frozen"), transaction.atomic():
        Document.objects.filter(code="a0").update(split="")
    split_again(study)
    late.refresh_from_db()
    assert late.split == study.documents.get(code="a0").split
    release = make_release(study=study, settings={"forms": ["jsonl"]}, changes="More.")
    assert release.counts["splits"] == {"train": 4 + (late.split == "train"), "tune": 0,
                                        "test": 5 - (late.split == "train")}  # fmt: skip


def test_a_study_released_without_splits_stays_in_test():
    study = abstracts.study()
    adapt(study, abstracts.campaign(study, "adapt"))
    assert make_release(study=study, settings={"forms": ["jsonl"]}).counts["splits"]["test"] == 1
    came(study, "later", "q1", "It came later.")
    with pytest.raises(UserError, match="The splits are frozen"):
        split_again(study)


def test_the_page_counts_what_is_without_a_split(study):
    client = as_person(make.person(Role.RESEARCHER, study))
    page = f"/studies/{study.slug}/texts/splits/"
    assert "no split, though others have one" not in client.get(page).content.decode()
    came(study, "late", "q0", "It came late.")
    assert "1 document has no split, though others have one" in client.get(page).content.decode()
