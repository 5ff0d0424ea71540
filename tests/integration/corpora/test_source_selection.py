"""From documents to sources and splits: links, groups, samples, selections; each drawn again by its seed."""

import pytest
from django.db.models import F
from support.documents import documents

from corpora.actions.add_direction import add_direction
from corpora.actions.add_documents import add_documents
from corpora.actions.add_sources import add_sources
from corpora.actions.assign_splits import assign_splits
from corpora.actions.link_documents import link_documents
from corpora.actions.make_groups import make_groups
from corpora.actions.map_sections import map_sections
from corpora.actions.sample_groups import sample_groups
from corpora.actions.select_sources import select_sources
from corpora.formats import RawDocument, RawQuestion, RawSection
from corpora.models import Document, DocumentSentence, Sentence, Study
from corpora.source_selection import SelectionCriteria, choose_sentences
from corpora.trash import before_split
from foundation.errors import UserError

THIRDS = {"train": 70, "tune": 15, "test": 15}


@pytest.fixture
def study(db):
    return Study.objects.create(slug="msd", title="MSD", styles=["expert", "lay"])


@pytest.fixture
def direction(study):
    return add_direction(study=study, source_style="expert", target_style="lay")


def raw(*sentences, **fields):
    return RawDocument((RawSection("", sentences),), **fields)


def test_versions_are_linked_and_grouped_by_their_elements(study):
    expert, lay = documents(study)
    assert list(study.document_links.values_list("source", "target")) == [(expert.pk, lay.pk)]
    rows = study.groups.values_list("element", "source_sections", "target_sections")
    assert list(rows) == [
        ("Symptoms", ["Symptoms and Signs"], ["Symptoms"]), ("Treatment", ["Treatment"], ["Treatment"])
    ]  # fmt: skip


def test_linking_again_changes_nothing_and_says_what_is_left(study):
    documents(study)
    twins = [raw("A.", title="Twins", code=f"t{n}", codes=(f"{n}",)) for n in range(2)]
    add_documents(study=study, documents=[*twins, raw("B.", title="Alone")], style="expert")
    add_documents(study=study, documents=[raw("C.", title="twins ", codes=("1", "5"))], style="lay")
    found = link_documents(study=study, source_style="expert", target_style="lay")
    assert (found.linked, found.unlinked, found.ambiguous) == (1, 2, 0)
    assert study.document_links.order_by("-pk").first().source.code == "t1"
    again = link_documents(study=study, source_style="expert", target_style="lay")
    assert (again.linked, again.unlinked) == (0, 2)


def test_a_changed_mapping_makes_the_groups_anew_but_not_those_drawn(study):
    documents(study)
    sample_groups(study=study, count=1, seed=3)
    drawn = study.groups.get(sampled=True)
    other = "Treatment" if drawn.element == "Symptoms" else "Symptoms"
    rows = [(style, section, "") for style, section, element
            in study.section_elements.values_list("style", "section", "element") if element == other]  # fmt: skip
    map_sections(study=study, rows=rows)
    assert make_groups(study=study).made == 0
    assert list(study.groups.all()) == [drawn]


def test_documents_without_sections_are_one_group(study):
    for style in study.styles:
        add_documents(study=study, documents=[raw("A.", "B.", title="Same")], style=style)
    link_documents(study=study, source_style="expert", target_style="lay")
    assert make_groups(study=study).made == 1
    assert study.groups.get().element == ""


def test_a_sample_of_groups_is_drawn_again_by_its_seed(study):
    for style in study.styles:
        add_documents(study=study, documents=[raw("A.", title=f"T{n}") for n in range(30)], style=style)
    link_documents(study=study, source_style="expert", target_style="lay")
    make_groups(study=study)

    def drawn(seed):
        sample_groups(study=study, count=10, seed=seed, replace=True)
        return list(study.groups.filter(sampled=True).order_by("number").values_list("number", flat=True))

    first = drawn(1)
    assert len(first) == 10
    assert drawn(2) != first
    assert drawn(1) == first
    sample_groups(study=study, count=20)
    with pytest.raises(UserError, match="There are 0 groups"):
        sample_groups(study=study, count=1)


def test_sources_are_selected_once_and_what_is_held_or_dropped_is_counted(study, direction):
    documents(study)
    assert choose_sentences(direction, SelectionCriteria()).left == {"held": 1}
    done = select_sources(direction=direction, wish=SelectionCriteria(), split="train")
    assert len(done.taken) == 3
    rows = direction.sentences.order_by("number")
    assert [row.number for row in rows] == [1, 2, 3]
    assert all(row.text == row.origin.text and row.split == "train" for row in rows)
    assert choose_sentences(direction, SelectionCriteria()).left == {"held": 1, "taken": 3}
    with pytest.raises(UserError, match="No sentence is left"):
        select_sources(direction=direction, wish=SelectionCriteria())
    back = add_direction(study=study, source_style="lay", target_style="expert")
    assert len(select_sources(direction=back, wish=SelectionCriteria()).taken) == 2


def test_a_rule_and_a_sample_leave_the_others_out_by_reason(study, direction):
    texts = [
        "Too short.",
        "What are these five words here?",
        *[f"This is a sentence of words number {n}." for n in range(40)],
    ]
    add_documents(study=study, documents=[raw(*texts, domain="music"), raw("Elsewhere it is all one.", domain="x")],
                  style="expert")  # fmt: skip
    wish = SelectionCriteria(rule="gyafc", domain="music", sample=10, seed=7)
    first = choose_sentences(direction, wish)
    assert first.left == {"too_short": 1, "question": 1, "not_drawn": 30}
    assert first.seen == 42
    assert choose_sentences(direction, wish).taken == first.taken
    assert (
        choose_sentences(direction, SelectionCriteria(rule="gyafc", domain="music", sample=10, seed=8)).taken
        != first.taken
    )
    select_sources(direction=direction, wish=wish)
    assert list(direction.sentences.values_list("origin", flat=True)) == first.taken
    assert set(direction.sentences.values_list("domain", flat=True)) == {"music"}
    with pytest.raises(UserError, match="There are 30 sentences to sample from"):
        choose_sentences(direction, SelectionCriteria(rule="gyafc", domain="music", sample=31))


def test_plaba_splits_keep_every_question_together(study, direction):
    add_documents(
        study=study, style="expert",
        documents=[raw("A sentence.", code=f"{n}", question=RawQuestion(str(n % 75))) for n in range(750)],
    )  # fmt: skip
    select_sources(direction=direction, wish=SelectionCriteria())
    counts = assign_splits(study=study, rule="question", proportions=THIRDS, seed=1)
    assert sorted(counts["documents"].values()) in ([110, 110, 530], [110, 120, 520])
    assert counts["documents"] == counts["sentences"]
    for question in study.questions.all():
        assert len(set(question.documents.values_list("split", flat=True))) == 1
    assert not Sentence.objects.exclude(split=F("origin__document__split")).exists()
    before = dict(Document.objects.values_list("pk", "split"))
    assign_splits(study=study, rule="question", proportions=THIRDS, seed=2)
    assert dict(Document.objects.values_list("pk", "split")) != before
    assign_splits(study=study, rule="question", proportions=THIRDS, seed=1)
    assert dict(Document.objects.values_list("pk", "split")) == before


def test_versions_of_one_text_stay_together(study):
    for style in study.styles:
        add_documents(study=study, documents=[raw("A.", title=f"T{n}") for n in range(40)], style=style)
    link_documents(study=study, source_style="expert", target_style="lay")
    assign_splits(study=study, rule="document", proportions=THIRDS)
    pairs = study.document_links.values_list("source__split", "target__split")
    assert all(source == target != "" for source, target in pairs)
    assert study.documents.filter(split="train").count() == 56


def test_at_random_each_sentence_is_drawn_by_itself(study, direction):
    add_sources(direction=direction, texts=[f"Number {n}." for n in range(100)])
    counts = assign_splits(study=study, rule="random", proportions=THIRDS)
    assert counts["sentences"] == {"train": 70, "tune": 15, "test": 15}


def test_a_receiver_may_freeze_the_splits(study, direction):
    add_sources(direction=direction, texts=["One."])

    def frozen(study, **kwargs):
        raise UserError("The splits were released.")

    before_split.connect(frozen)
    try:
        with pytest.raises(UserError, match="released"):
            assign_splits(study=study, rule="random", proportions=THIRDS)
    finally:
        before_split.disconnect(frozen)


@pytest.mark.parametrize("wrong", [{"train": 70}, {"train": 120, "test": -20}, {"train": 50, "dev": 50}])
def test_proportions_are_a_hundred_together(study, direction, wrong):
    add_sources(direction=direction, texts=["One."])
    with pytest.raises(UserError):
        assign_splits(study=study, rule="random", proportions=wrong)


def test_a_document_s_split_goes_before_the_one_asked_for(study, direction):
    documents(study)
    study.documents.update(split="tune")
    select_sources(direction=direction, wish=SelectionCriteria(), split="train")
    assert set(direction.sentences.values_list("split", flat=True)) == {"tune"}
    assert DocumentSentence.objects.filter(selected__isnull=False).count() == 3
