"""The life of what a language model answered: it goes with the training or run that used it, and comes back with it."""

import pytest
from django.core.management import call_command
from support.campaigns import person
from support.language_model_server import served
from support.training_studies import TUNE, training_study

from accounts.permissions import Role
from corpora.actions.delete_study import delete_study
from corpora.actions.remove_system import remove_system
from corpora.actions.undo_removal import undo_removal
from corpora.models import Study
from jobs.execution import run_job
from jobs.models import Job
from modelserving import typed_sentences
from modelserving.actions.remove_training import remove_training
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_transfer
from modelserving.models import ModelAnswer, TransferRun
from modelserving.training_runs.execution import clear_up, run_training
from modelserving.transfer_runs import run_transfer

pytestmark = pytest.mark.django_db(transaction=True)
OPTIONS = {"endpoint": "far", "model": "tiny", "tune_most": 2}
ALL = 16 + 2 * TUNE


@pytest.fixture
def server(monkeypatch):
    with served() as one:
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"far={one.url} models=tiny")
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODEL_KEYS", "")
        yield one


@pytest.fixture
def study(server, settings, tmp_path):
    settings.WORK_FOLDER = tmp_path / "work"
    return training_study(ALL)


@pytest.fixture
def training(study):
    run = start_training(study=study, model="prompted", options=OPTIONS, by=None)
    run_job(run.job_id, run_training)
    clear_up(run.job_id)
    return run


def run_on(study, training, name) -> TransferRun:
    run = start_transfer(study=study, checkpoint=training.checkpoints.get(kind="best"), name=name, by=None)
    run_job(run.job_id, run_transfer)
    found = TransferRun.objects.select_related("job", "system").get(pk=run.pk)
    assert found.job.state == Job.State.DONE, found.job.error
    return found


def rows(**given):
    """The rows as they are in the table."""
    return sorted(ModelAnswer.objects.filter(**given).values_list())


def test_answers_go_with_a_run_and_come_back_with_it(study, training, server):
    run = run_on(study, training, "One")
    assert (len(rows(job=training.job)), len(rows(job=run.job))) == (2, ALL)
    before = rows()
    removal = remove_system(system=run.system, by=None)
    assert rows() == rows(job=training.job)
    assert removal.counts["modelserving.ModelAnswer"] == ALL
    undo_removal(removal=removal)
    assert rows() == before
    again = run_on(study, training, "Two")
    assert (again.usage["calls"], again.usage["kept"], len(server.requests)) == (0, ALL, ALL)


def test_what_another_run_was_answered_too_stays_when_one_goes(study, training, server):
    first, second = run_on(study, training, "One"), run_on(study, training, "Two")
    assert len(rows(job=second.job)) == ALL
    assert {row["cost"] for row in ModelAnswer.objects.filter(job=second.job).values("cost")} == {0}
    remove_system(system=first.system, by=None)
    third = run_on(study, training, "Three")
    assert (third.usage["calls"], len(server.requests)) == (0, ALL)


def test_answers_go_with_a_training_and_come_back_while_its_systems_keep_theirs(study, training, server):
    run = run_on(study, training, "One")
    before = rows()
    removal = remove_training(run=training, by=None)
    assert rows() == rows(job=run.job)
    assert removal.counts["modelserving.ModelAnswer"] == 2
    undo_removal(removal=removal)
    assert rows() == before


def test_answers_go_with_the_study_and_come_back(study, training):
    run_on(study, training, "One")
    before = rows()
    removal = delete_study(study=Study.objects.get(pk=study.pk), title=study.title, by=None)
    assert rows() == []
    undo_removal(removal=removal)
    assert rows() == before


def test_what_a_person_types_is_kept_nowhere_and_what_is_there_is_used(study, training, server):
    checkpoint = training.checkpoints.get(kind="best")
    before = rows()
    source = study.directions.get().sentences.filter(split="tune").order_by("number").first().text
    for text, asked in (("typed by a person", 1), (source, 0)):
        there = len(server.requests)
        question = typed_sentences.ask(
            study=study, person=person(Role.RESEARCHER, study), text=text, direction=study.directions.get(),
            models=[f"checkpoint-{checkpoint.pk}"],
        )  # fmt: skip
        typed_sentences.answer(question.key, 0)
        assert [one.state for one in question.answers()] == ["done"]
        assert len(server.requests) == there + asked
    assert rows() == before


def test_what_a_command_was_answered_goes_with_the_study(study, training, server, monkeypatch, tmp_path, capsysbinary):
    checkpoint = training.checkpoints.get(kind="best")
    lines = tmp_path / "lines.txt"
    lines.write_text("wat\nu\n")
    for asked in (2, 0):
        there = len(server.requests)
        with lines.open() as file:
            monkeypatch.setattr("sys.stdin", file)
            call_command("transfer", str(checkpoint.pk))
        assert len(server.requests) == there + asked
    assert len(rows(job=None)) == 2
    delete_study(study=Study.objects.get(pk=study.pk), title=study.title, by=None)
    assert rows() == []
