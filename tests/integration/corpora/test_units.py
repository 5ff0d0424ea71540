"""Units: each sentence for itself, or all that came from one document together, in the document's order."""

import pytest

from corpora.actions.add_direction import add_direction
from corpora.models import Document, DocumentSentence, Sentence, Study
from corpora.texts.units import text_of, units_of


@pytest.fixture
def study(db):
    """Two documents whose sentences were selected out of order and in turn, and a sentence without a document."""
    made = Study.objects.create(slug="units", title="Units", styles=["expert", "lay"])
    there = add_direction(study=made, source_style="expert", target_style="lay")
    back = add_direction(study=made, source_style="lay", target_style="expert")
    for number, name in enumerate(("a", "b"), 1):
        document = Document.objects.create(study=made, number=number, style="expert", title=name)
        DocumentSentence.objects.bulk_create(
            DocumentSentence(document=document, number=place, text=f"{name}{place}") for place in (1, 2, 3)
        )
    selected = ["b2", "alone", "a3", "a1", "b1"]
    origins = {
        document_sentence.text: document_sentence
        for document_sentence in DocumentSentence.objects.filter(document__study=made)
    }
    for direction in (there, back):
        Sentence.objects.bulk_create(
            Sentence(direction=direction, number=number, text=text, origin=origins.get(text))
            for number, text in enumerate(selected, 1)
        )
    return made


def shown(study):
    texts = dict(Sentence.objects.filter(direction__study=study).values_list("pk", "text"))
    return [text_of(one.ids, texts) for one in units_of(study)]


def test_sentences_are_units_of_their_own_where_nothing_else_is_said(study):
    assert shown(study) == ["b2", "alone", "a3", "a1", "b1"] * 2


def test_the_sentences_of_a_document_are_one_unit_in_each_direction(study, django_assert_num_queries):
    study.unit = Study.Unit.DOCUMENT
    assert shown(study) == ["b1 b2", "alone", "a1 a3"] * 2
    with django_assert_num_queries(1):
        units_of(study)


def test_a_text_that_lacks_a_sentence_is_none_but_a_sentence_may_be_left_empty():
    assert text_of([1, 2, 3], {1: "One. ", 2: "", 3: "Three."}) == "One. Three."
    assert text_of([1, 2, 3], {1: "One.", 3: "Three."}) == ""
    assert text_of([1, 2, 3], {1: "One.", 3: "Three."}, partly=True) == "One. Three."
    assert (text_of([1], {1: " One."}), text_of([1], {2: "Two."})) == (" One.", "")
