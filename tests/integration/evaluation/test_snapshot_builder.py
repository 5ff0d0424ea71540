"""A small study as tables and figures read it."""

import numpy as np
import pytest
from support import campaigns as make

from annotation.campaigns.criteria import keep_criteria
from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.formats import Judgement as Given
from corpora.models import Document, DocumentSentence, Reference, SectionElement, Sentence
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_report import make_report
from evaluation.snapshot_builder.build import snapshot_of
from evaluation.tables import TABLES

pytestmark = pytest.mark.django_db
SOURCES = ["hey there", "what up", "gotta go", "hey  there "]  # the last is the first one again
GOOD = ["Hello there.", "How are you?", "I have to leave.", "Hello there."]
TWIN = ["hey there", "Hi.", "Bye.", None]


@pytest.fixture
def study():
    made = create_study(slug="mail", title="Mail", styles=["informal", "formal"])
    direction = add_direction(study=made, source_style="informal", target_style="formal")
    add_sources(direction=direction, texts=SOURCES)
    add_references(direction=direction, texts=GOOD, origin="a file")
    add_system(study=made, name="People", outputs={direction: GOOD}, origin="a file", is_human=True)
    for name, outputs in (("Copy", SOURCES), ("Twin", TWIN)):
        add_system(study=made, name=name, outputs={direction: outputs}, origin="a file", allows_missing=True)
    keep_criteria(made, [{"name": "formality", "scale": "formality_7", "aspect": "style", "beside": "nothing"}])
    return made


def rate(study, *rows):
    given = [
        Given(worker, source, output, "formal", "formality", value, None, 2) for worker, source, output, value in rows
    ]
    import_ratings(study=study, format="mturk", file_name="ratings.csv", judgements=given)


def test_units_and_systems_are_in_the_order_of_the_study(study):
    snapshot = snapshot_of(study)
    assert snapshot.units.sources == SOURCES
    assert snapshot.units.references == [[text] for text in GOOD]
    assert snapshot.units.home.tolist() == [0, 1, 2, 0]
    assert (snapshot.units.directions, snapshot.units.direction.tolist()) == ([("informal", "formal")], [0, 0, 0, 0])
    assert snapshot.units.words.tolist() == [2, 2, 2, 2]
    assert np.isnan(snapshot.units.concepts).all()
    assert [(row.name, row.family, row.outputs) for row in snapshot.systems] == [
        ("People", "People", GOOD), ("Copy", "Copy", SOURCES), ("Twin", "Twin", TWIN)
    ]  # fmt: skip
    assert snapshot.baseline == 1, "the first system that is not a person"


def test_a_section_counts_as_the_element_that_it_stands_for(study):
    document = Document.objects.create(study=study, number=1, style="informal")
    for number, (text, section) in enumerate(zip(SOURCES[:2], ("Signs", "Causes"), strict=True), start=1):
        origin = DocumentSentence.objects.create(document=document, number=number, section=section, text=text)
        Sentence.objects.filter(direction__study=study, number=number).update(origin=origin)
    SectionElement.objects.create(study=study, style="informal", section="Signs", element="Symptoms")
    SectionElement.objects.create(study=study, style="formal", section="Causes", element="Etiology")
    snapshot = snapshot_of(study)
    assert snapshot.units.sections == ["Symptoms", "Causes", "", ""]
    assert snapshot.counts.sections == {("informal", "Symptoms"): 1, ("informal", "Causes"): 1}


def test_sentences_of_documents_that_nobody_worked_on_are_in_no_corpus_of_pairs(study):
    document = Document.objects.create(study=study, number=1, style="informal", split="train")
    DocumentSentence.objects.create(document=document, number=1, text="Nobody ever selected these many words.")
    Reference.objects.filter(sentence__number=1, sentence__direction__study=study).delete()
    snapshot = snapshot_of(study)
    assert snapshot.counts.texts["informal", "train"] == ["Nobody ever selected these many words."]
    assert snapshot.counts.annotated == {("informal", "formal", "test"): (SOURCES[1:], GOOD[1:])}
    (length,) = [
        row[1] for row in TABLES["medlane_table_2"].make(snapshot).rows if "length of the source" in row[0].text
    ]
    assert length.value == 2, "the words of what was selected and rewritten alone"


def test_a_text_counts_as_often_as_it_stands_and_once_for_a_pair_of_both_directions(study):
    """SOURCES has the same text twice; the way back has each pair the other way round."""
    back = add_direction(study=study, source_style="formal", target_style="informal")
    add_sources(direction=back, texts=GOOD)
    add_references(direction=back, texts=SOURCES, origin="a file")
    texts = snapshot_of(study).counts.texts
    assert sorted(texts["informal", "test"]) == sorted(SOURCES)
    assert sorted(texts["formal", "test"]) == sorted(GOOD)


def test_first_references_full_forms_are_counted_for_each_split(study):
    direction = study.directions.get()
    lines = ["hx[history] of mi[heart attack]", "none", "pt[patient]", "none"]
    add_references(direction=direction, texts=lines, origin="a file", marks="brackets")
    assert snapshot_of(study).counts.forms == {("informal", "formal", "test"): [2, 0, 1, 0]}


def test_a_judgement_stands_once_for_each_system_that_gave_the_text(study):
    rate(study, ("w1", "hey there", "hey  there", -3), ("w2", "hey there", "hey there", -1),
         ("w1", "what up", "Hi.", 2), ("w1", "what up", "Nobody gave this.", 0))  # fmt: skip
    judged = snapshot_of(study).judgements["raw"]["formality"]
    assert (judged.level, judged.aspect, judged.lowest, judged.highest) == ("ordinal", "style", -3, 3)
    rows = zip(judged.system, judged.unit, judged.rater, judged.value, strict=True)
    assert [tuple(map(float, row)) for row in rows] == [
        (1, 0, 0, -3), (1, 0, 1, -1), (2, 0, 0, -3), (2, 0, 1, -1), (2, 1, 0, 2)
    ]  # fmt: skip
    assert judged.text[0] == judged.text[2]
    assert judged.text[0] != judged.text[4]


def test_workers_have_the_median_seconds_of_a_text():
    study = make.study(items=2, systems=2)
    campaign = make.campaign(study, "rate", settings={"criteria": {"fluency": {"scale": "fluency_5"}}})
    keep_criteria(study, [{"name": "fluency", "scale": "fluency_5", "aspect": "fluency", "beside": "nothing"}])
    who = make.person(study=study)
    for seconds in (8.0, 20.0):
        work = make.held(campaign, who)
        make.hand_in(campaign, who, work, content={"ratings": [{"fluency": 3}, {"fluency": 4}]}, seconds=seconds)
    elsewhere = [("w1", 1, 3.0), ("w1", 2, 5.0), ("w2", 1, None)]
    import_ratings(study=study, format="mturk", file_name="ratings.csv", judgements=[
        Given(worker, f"gotta see number {n} , u know", f"You should see {n} in manner 1.", "formal", "fluency", 2,
              seconds, 2) for worker, n, seconds in elsewhere
    ])  # fmt: skip
    workers = snapshot_of(study).raters
    found = dict(zip(workers.names, workers.seconds.tolist(), strict=True))
    assert found[str(who.pseudonym)] == 7.0, "of two texts each answer took 4 and 10 seconds"
    assert found["w1"] == 4.0
    assert np.isnan(found["w2"])


def test_scores_lie_over_the_units(study):
    choose_metrics(study=study, metrics={"pinc": {}, "bleu": {}})
    make_report(study=study)
    snapshot = snapshot_of(study)
    assert set(snapshot.scores) == {"bleu", "pinc"}
    assert snapshot.scores["bleu"][0] is None
    twin = snapshot.scores["pinc"][2]
    assert twin.there.tolist() == [True, True, True, False]
    assert np.isnan(twin.sentences[3])
    assert twin.sufficient_statistics.shape[0] == 4
    assert float(twin.corpus_of(twin.sufficient_statistics.sum(axis=0))) == pytest.approx(twin.corpus)
    assert snapshot.report["study"] == "mail"
