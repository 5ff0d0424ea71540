"""No text to test with becomes one to train on, whichever way it would come in."""

from collections import Counter

import pytest
from django.urls import reverse
from support import campaigns
from support.clients import as_person
from support.training_studies import training_study

from accounts.permissions import Role
from annotation.actions.make_release import make_release
from corpora.actions.add_direction import add_direction
from corpora.actions.add_documents import add_documents
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.assign_splits import assign_splits
from corpora.actions.create_study import create_study
from corpora.actions.select_sources import select_sources
from corpora.formats import RawDocument, RawSection
from corpora.models import HeldOutText, Reference, Sentence
from corpora.source_selection import SelectionCriteria, choose_sentences
from corpora.splits import held_places, left_out_message
from foundation.errors import UserError
from modelserving.training_runs.dataset_snapshot import take_snapshot

pytestmark = pytest.mark.django_db
STYLES = ("informal", "formal")
SECRETS = ["Gotta go NOW !", "u r sooo late", "that\u2019s it"]
AGAIN = ["gotta go now", "U r sooo late.", "that's  it!!"]


def study_of(slug, tested=(), trained=()):
    made = create_study(slug=slug, title=slug, styles=list(STYLES))
    direction = add_direction(study=made, source_style="informal", target_style="formal")
    for split, texts in (("test", tested), ("train", trained)):
        if texts:
            add_sources(direction=direction, texts=texts, split=split)
    return made, direction


@pytest.fixture
def released():
    """A study whose release has SECRETS in its test split, with a rewrite of each."""
    study, _ = study_of("first", SECRETS)
    campaign = campaigns.campaign(study)
    who = campaigns.person(Role.EXPERT_ANNOTATOR, study)
    for number in range(3):
        campaigns.hand_in(campaign, who, campaigns.held(campaign, who), content={"text": f"It is formal, {number}."})
    make_release(study=study, settings={"forms": ["jsonl"]})
    return study


def texts_in(study, split="train"):
    return set(Sentence.objects.filter(direction__study=study, split=split).values_list("text", flat=True))


def test_a_release_remembers_what_it_tests_with(released):
    assert HeldOutText.objects.filter(study=released, split="test", release=1).count() == 6
    other, _ = study_of("second")
    said = ["the test split of a release of another study"] * 3
    assert held_places(other, "train", AGAIN) == held_places(other, "tune", AGAIN) == said
    assert held_places(other, "test", AGAIN) == ["", "", ""]
    assert held_places(other, "train", ["IT IS FORMAL 2", "It is formal, 3."]) == [said[0], ""]
    assert left_out_message({"the test split of release 1": 3}, "sentences") == (
        "3 sentences left out: they stand in the test split of release 1."
    )


def test_sources_that_are_added(released):
    other, direction = study_of("second")
    added = add_sources(direction=direction, texts=[*AGAIN, "free"], split="train")
    assert (added.count, added.left_out) == (1, {0, 1, 2})
    assert added.said == "3 sentences left out: they stand in the test split of a release of another study."
    assert texts_in(other) == {"free"}
    with pytest.raises(UserError, match="No new source is left for training or tuning; 3 sentences left out"):
        add_sources(direction=direction, texts=AGAIN, split="tune")
    assert add_sources(direction=direction, texts=AGAIN, split="test").count == 3


def test_sources_of_the_study_s_own_splits():
    study, direction = study_of("own", SECRETS[:1])
    add_sources(direction=direction, texts=SECRETS[1:2], split="tune")
    added = add_sources(direction=direction, texts=AGAIN, split="train")
    assert texts_in(study) == {AGAIN[2]}
    assert "the test split of this study (1), the tune split of this study (1)" in added.said


def test_sources_that_are_uploaded_say_so(released):
    study, direction = study_of("second")
    client = as_person(campaigns.person(Role.RESEARCHER, study))
    pasted = {"pasted": "\n".join([*AGAIN, "free"]), "target": "texts"}
    kept = client.post(reverse("table_new", args=[study.slug]), pasted)["Location"]
    chosen = {"meaning-0": "source", "set-direction": direction.name, "set-split": "train", "act": "bring"}
    page = client.post(kept, chosen, follow=True)
    assert "3 sources left out" in page.content.decode()
    assert texts_in(study) == {"free"}


def test_sentences_of_documents_that_are_selected(released):
    study, direction = study_of("second")
    parts = (RawSection("", (*AGAIN, "free")),)
    add_documents(study=study, documents=[RawDocument(parts)], style="informal")
    assert choose_sentences(direction, SelectionCriteria(), split="train").left == {"held_out": 3}
    assert choose_sentences(direction, SelectionCriteria()).left == {}
    early = choose_sentences(direction, SelectionCriteria())
    with pytest.raises(UserError, match="splits were changed meanwhile"):
        select_sources(direction=direction, wish=SelectionCriteria(), split="train", choice=early)
    assert select_sources(direction=direction, wish=SelectionCriteria(), split="train").left == {"held_out": 3}
    assert texts_in(study) == {"free"}


def test_the_split_of_the_document_is_what_counts(released):
    study, direction = study_of("second")
    add_documents(study=study, documents=[RawDocument((RawSection("", tuple(AGAIN)),))], style="informal")
    study.documents.update(split="test")
    assert len(select_sources(direction=direction, wish=SelectionCriteria(), split="train").taken) == 3
    assert texts_in(study, "test") == set(AGAIN)


def test_splits_drawn_at_random_keep_equal_texts_together(released):
    study, direction = study_of("second", [f"text number {n // 2}{'!' * (n % 2)}" for n in range(40)])
    add_sources(direction=direction, texts=AGAIN)
    for seed in range(3):
        counts = assign_splits(study=study, rule="random", proportions={"train": 60, "tune": 20, "test": 20}, seed=seed)
        assert counts["held_out"] == {}
        assert set(AGAIN) <= texts_in(study, "test")
        split_of = dict(direction.sentences.values_list("number", "split"))
        assert all(split_of[n] == split_of[n + 1] for n in range(1, 40, 2))
    assert counts["sentences"]["train"] == 24


def test_both_ways_of_a_pair_are_in_one_split():
    study, direction = study_of("second", [f"informal {n}" for n in range(30)])
    add_references(direction=direction, texts=[f"formal {n}" for n in range(30)], origin="a file")
    back = add_direction(study=study, source_style="formal", target_style="informal")
    add_sources(direction=back, texts=[f"Formal {n}." for n in range(30)])
    assign_splits(study=study, rule="random", proportions={"train": 50, "tune": 0, "test": 50})
    here, there = (dict(one.sentences.values_list("number", "split")) for one in (direction, back))
    assert here == there
    assert set(here.values()) == {"train", "test"}


def test_splits_by_document_count_what_trainings_leave_out():
    study, direction = study_of("second")
    parts = (RawSection("", ("The same everywhere.",)),)
    add_documents(study=study, documents=[RawDocument(parts) for _ in range(4)], style="informal")
    select_sources(direction=direction, wish=SelectionCriteria())
    counts = assign_splits(study=study, rule="document", proportions={"train": 50, "tune": 0, "test": 50})
    assert counts["held_out"] == {"the test split of this study": 2}


def test_trainings_leave_out_what_is_held_out_by_then(released, tmp_path):
    study = training_study(20)
    direction = study.directions.get()
    whole = take_snapshot(study, STYLES, direction, tmp_path / "before")
    first, second = direction.sentences.filter(split="train")[:2]
    Sentence.objects.filter(pk=first.pk).update(text=AGAIN[0])
    Reference.objects.filter(sentence=second).update(text="it is FORMAL 1")
    left = Counter()
    data = take_snapshot(study, STYLES, direction, tmp_path / "after", left)
    assert len(data.train) == len(whole.train) - 2
    assert left == {"the test split of a release of another study": 2}
    assert not {AGAIN[0], "it is FORMAL 1"} & {*data.texts["informal"], *data.texts["formal"]}


def test_asking_takes_one_query_of_the_study_and_one_of_the_releases(released, django_assert_num_queries):
    study, _ = study_of("second", ["one"])
    with django_assert_num_queries(2):
        held_places(study, "train", [f"text {n}" for n in range(3000)])
    with django_assert_num_queries(0):
        held_places(study, "test", ["one"])
