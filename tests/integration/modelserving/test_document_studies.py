"""A study whose unit is the document is trained on documents, rewritten document by document, and scored by them."""

import pytest
from support.document_studies import document_study, rewrite, sentence, whole
from support.training_studies import pairs, training_study
from support.word_model import register

from corpora.actions.add_references import add_references
from corpora.actions.assign_splits import assign_splits
from corpora.models import Output, Reference, Sentence
from evaluation.snapshot_builder.build import read_study
from jobs.execution import run_job
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_transfer
from modelserving.training_runs.dataset_snapshot import take_snapshot
from modelserving.training_runs.execution import clear_up, run_training
from modelserving.transfer_runs import run_transfer

pytestmark = pytest.mark.django_db
STYLES = ("expert", "lay")


def frozen(study, folder, left=None):
    return take_snapshot(study, STYLES, study.directions.get(), folder, left)


def test_a_pair_is_a_document_in_its_own_order(tmp_path):
    data = frozen(document_study((3, 1, 4, 2, 3)), tmp_path)
    assert list(data.train.sources) == [whole(2, range(4)), whole(1, range(1)), whole(0, range(3))]
    assert list(data.train.targets) == [whole(2, range(4), True), whole(1, range(1), True), whole(0, range(3), True)]
    assert list(data.dev.sources) == [whole(3, range(2))]
    assert data.dev.of_each == [[whole(3, range(2), True)]]
    assert list(data.texts["expert"]) == list(data.train.sources)
    assert list(data.texts["lay"]) == list(data.train.targets)
    assert list(data.dev_texts["lay"]) == [whole(3, range(2), True)]


def test_of_a_rewrite_sentences_may_be_left_out_but_not_most(tmp_path):
    data = frozen(document_study((4, 4, 3, 2, 3), without={0: [1, 3], 1: [0, 2, 3]}), tmp_path)
    assert list(data.train.targets) == [whole(2, range(3), True), whole(0, [0, 2], True)]
    assert list(data.train.sources) == [whole(2, range(3)), whole(0, range(4))]


def test_a_rewrite_of_all_of_a_document_stands_at_its_first_sentence(tmp_path):
    study = document_study((3, 2, 4, 2, 3), without={0: [0, 1, 2]})
    direction = study.directions.get()
    reference_set = direction.reference_sets.get()
    own = direction.sentences.filter(origin__document__code="d0").order_by("origin__number")
    Reference.objects.bulk_create(
        Reference(set=reference_set, sentence=one, text="" if place else "All in one.") for place, one in enumerate(own)
    )
    assert "All in one." in list(frozen(study, tmp_path).train.targets)
    assert ["All in one."] in read_study(study).texts.units.references


def test_several_sets_are_several_pairs_in_their_order(tmp_path):
    study = document_study((2, 2, 2, 2, 2))
    direction = study.directions.get()
    given = [f"Other {number}." for number in range(direction.sentences.count())]
    add_references(direction=direction, texts=given, origin="second")
    data = frozen(study, tmp_path)
    assert len(data.train) == 6
    assert data.train.sources[0] == data.train.sources[1]
    assert [text.startswith("Other") for text in data.train.targets] == [False, True] * 3
    assert len(data.dev.of_each[0]) == 2


def test_a_document_that_lies_in_several_splits_is_in_none(tmp_path):
    study = document_study((3, 2, 4, 2, 3))
    one = study.directions.get().sentences.get(origin__document__code="d2", origin__number=4)
    Sentence.objects.filter(pk=one.pk).update(split="test")
    data = frozen(study, tmp_path)
    assert list(data.train.sources) == [whole(1, range(2)), whole(0, range(3))]


def test_what_is_held_out_is_so_as_a_document_or_by_most_of_its_sentences(tmp_path):
    study = document_study((3, 2, 4, 2, 3))
    held, one = {f"s{place}": sentence(4, place) for place in range(3)}, study.directions.get().sentences
    one.filter(origin__document__code="d2", origin__number=1).update(text=held["s0"])
    assert len(frozen(study, tmp_path / "one of four").train) == 3, "a sentence may stand in many documents"
    for place in range(3):
        one.filter(origin__document__code="d2", origin__number=place + 1).update(text=held[f"s{place}"])
        changed = Reference.objects.filter(sentence__origin__document__code="d2", sentence__origin__number=place + 1)
        changed.update(text=rewrite(4, place))
    data = frozen(study, tmp_path / "three of four")
    assert list(data.train.sources) == [whole(1, range(2)), whole(0, range(3))]
    assert len(data.texts["expert"]) == len(data.texts["lay"]) == 2


def test_rows_that_are_whole_documents_are_pairs_as_they_stand(tmp_path):
    study = training_study(24)
    study.unit = "document"
    study.save()
    data = take_snapshot(study, ("informal", "formal"), study.directions.get(), tmp_path)
    assert list(zip(data.train.sources, data.train.targets, strict=True)) == pairs(16)
    assert list(data.dev.sources) == [source for source, _ in pairs(20)[16:]]


@pytest.mark.parametrize("rule", ["random", "document"])
def test_splits_take_documents_whole(rule, tmp_path):
    study = document_study([3] * 40, ["train"] * 40)
    Sentence.objects.filter(origin__number=1).update(text="BACKGROUND.")  # as many abstracts begin
    counts = assign_splits(study=study, rule=rule, proportions={"train": 50, "tune": 25, "test": 25})
    assert counts["sentences"] == {"train": 60, "tune": 30, "test": 30}
    rows = Sentence.objects.values_list("origin__document", "split").order_by().distinct()
    assert len(rows) == 40
    assert len(frozen(study, tmp_path).train) == 20


@pytest.fixture
def words(monkeypatch, settings, tmp_path):
    register(monkeypatch)
    settings.WORK_FOLDER = tmp_path / "work"
    settings.TRANSFER_BATCH = 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("split", "documents"), [("test", 1), ("", 5)])
def test_documents_are_trained_on_rewritten_and_scored(words, split, documents):
    study = document_study((3, 1, 4, 2, 3))
    training = start_training(study=study, model="words", by=None)
    run_job(training.job_id, run_training)
    clear_up(training.job_id)
    training.refresh_from_db()
    assert training.counts == {"pairs": 3, "tune": 1, "expert": 3, "lay": 3}
    checkpoint = training.checkpoints.get(kind="best")
    run = start_transfer(study=study, checkpoint=checkpoint, name="Words", split=split, by=None)
    run_job(run.job_id, run_transfer)
    run.job.refresh_from_db()
    assert (run.job.state, run.job.total) == (Job.State.DONE, documents), run.job.log
    assert f"{documents} of {documents} document" in run.job.told
    row = read_study(study).texts.rows[0].outputs
    assert sum(text is not None for text in row) == documents
    written = run.system.outputs.filter(sentence__origin__document__code="d4").order_by("sentence__origin__number")
    said = "Patients of d4 had s0 hypertension. Patients of d4 had s1 hypertension. Patients of d4 had s2 hypertension."
    assert list(written.values_list("text", flat=True)) == [said, "", ""]


@pytest.mark.django_db(transaction=True)
def test_a_run_that_was_stopped_goes_on_with_the_documents_that_are_left(words, monkeypatch):
    study = document_study((3, 1, 4, 2, 3))
    training = start_training(study=study, model="words", by=None)
    run_job(training.job_id, run_training)
    run = start_transfer(study=study, checkpoint=training.checkpoints.get(kind="best"), name="Words", by=None)
    first = study.directions.get().sentences.filter(origin__document__code="d2").order_by("origin__number")
    Output.objects.bulk_create(
        Output(system=run.system, sentence=one, text="" if place else "Before.") for place, one in enumerate(first)
    )
    run_job(run.job_id, run_transfer)
    run.job.refresh_from_db()
    assert (run.job.state, run.job.done, run.job.total) == (Job.State.DONE, 5, 5), run.job.log
    assert run.system.outputs.count() == 13
    assert run.system.outputs.get(sentence=first[0]).text == "Before."
