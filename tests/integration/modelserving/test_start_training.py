"""What a training asks of a study; what is lacking is one sentence."""

import pytest
from support.training_studies import TUNE, fill, pairs, split, training_study
from support.word_model import WordTransfer, register

from corpora.actions.add_direction import add_direction
from corpora.actions.create_study import create_study
from corpora.models import Reference
from foundation.errors import UserError
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.models import TrainingRun

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def words(monkeypatch):
    register(monkeypatch)


def refused(study, model="words", **given) -> str:
    with pytest.raises(UserError) as error:
        start_training(study=study, model=model, by=None, **given)
    assert not TrainingRun.objects.exists()
    assert not Job.objects.exists()
    return str(error.value)


def test_a_training_is_queued_with_all_that_it_was_asked_for():
    study = training_study()
    run = start_training(study=study, model="words", options={"rounds": 7}, seed=3, device="cpu", by=None)
    assert (run.job.queue, run.job.task, run.job.state) == ("gpu", "modelserving.tasks.train", Job.State.QUEUED)
    assert (run.name, run.seed, run.device) == ("words, seed 3", 3, "cpu")
    assert run.options == {"rounds": 7, "keep_every": 5}
    assert (run.direction, run.styles) == (study.directions.get(), ["informal", "formal"])
    again = start_training(study=study, model="words", seed=3, by=None)
    assert again.name == "words, seed 3 (2)"


def test_options_that_there_are_not_or_that_are_no_good():
    study = training_study()
    assert refused(study, options={"ronds": 1}) == "ronds: There is no such option; did you mean rounds?"
    assert "whole number" in refused(study, options={"rounds": 0.5})
    assert "from 1 to 1,000" in refused(study, options={"rounds": 0})
    assert refused(study, seed=-1).startswith("seed: ")
    assert refused(study, device="tpu").startswith("device: ")
    assert refused(study, model="wrds").startswith("There is no transfer model 'wrds'; did you mean words")
    assert refused(study, name="x" * 101).startswith("name: ")


def test_a_tune_set_is_scored_by_what_its_language_has():
    study = training_study()
    study.language = "zh"
    study.save()
    options = {"tune_by": "meteor"}
    why = refused(study, model="seq2seq", options=options)
    assert why.startswith("tune_by: METEOR (NLTK) is not defined for the study's language, zh")


def test_a_name_stands_once():
    study = training_study()
    start_training(study=study, model="words", name="First", by=None)
    with pytest.raises(UserError, match="has a training 'First' already"):
        start_training(study=study, model="words", name="First", by=None)


def test_a_model_that_is_not_trained():
    assert "needs no training; run it at once" in refused(training_study(), model="rule_based_formality")


def test_a_study_without_directions_references_or_splits():
    empty = create_study(slug="empty", title="Empty", styles=["informal", "formal"])
    assert "has no direction" in refused(empty)
    study = training_study()
    split(study.directions.get(), 0)
    assert refused(study).startswith("informal-formal: There is nothing to train on: no source of the train split")
    study.directions.get().sentences.update(split="train")
    assert "There is nothing to tune on" in refused(study)
    Reference.objects.all().delete()
    assert "There is nothing to train on" in refused(study)


def test_which_direction_is_meant():
    study = training_study()
    fill(add_direction(study=study, source_style="formal", target_style="informal"), pairs(12))
    assert refused(study) == "direction: Say the direction: one of informal-formal, formal-informal."
    back = study.directions.get(source_style="formal")
    run = start_training(study=study, model="words", direction=back, by=None)
    assert run.styles == ["formal", "informal"]


def test_a_model_of_two_styles_takes_texts_of_both(monkeypatch):
    monkeypatch.setattr(WordTransfer, "needs", "styles")
    study = training_study()
    fill(add_direction(study=study, source_style="formal", target_style="informal"), pairs(12))
    run = start_training(study=study, model="words", by=None)
    assert (run.direction, run.styles) == (None, ["informal", "formal"])


def test_a_model_of_two_styles_says_which_it_lacks(monkeypatch):
    monkeypatch.setattr(WordTransfer, "needs", "styles")
    study = training_study()
    Reference.objects.filter(sentence__split="train").delete()
    assert refused(study).startswith("formal: There is nothing to train on: the train split has no text")
    assert TUNE


def test_a_model_of_some_styles_alone(monkeypatch):
    monkeypatch.setattr(WordTransfer, "directions", (("expert", "lay"),))
    assert "does not go from informal to formal; it serves expert to lay" in refused(training_study())
