"""A machine with several GPUs: the job starts a process for each. Here they are two on the CPU."""

import threading

import pytest
from django.db import connection
from support.held_trainings import held, wait_until_held, weights
from support.processes import wait_until
from support.training_studies import training_study

from foundation import preemption
from jobs.actions.cancel_job import cancel_job
from jobs.execution.runner import run_job
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.models import TrainingRun
from modelserving.training_runs import distributed, execution
from modelserving.training_runs.execution import clear_up, run_training

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SMALL = {"hidden": 8, "embedding": 8, "batch": 4, "epochs": 2, "dropout": 0.0}


@pytest.fixture(autouse=True)
def two(monkeypatch, environment, settings, tmp_path):
    """What the processes that are started know of: this database, and the folder of this machine."""
    monkeypatch.setattr(execution, "devices_for", lambda kind, asked: ["cpu", "cpu"])
    for name in ("DATABASE_URL", "PYTHONPATH"):
        monkeypatch.setenv(name, environment[name])


def train(study, **options) -> TrainingRun:
    run = start_training(study=study, model="seq2seq", options={**SMALL, **options}, by=None)
    run_job(run.job_id, run_training)
    clear_up(run.job_id)
    return TrainingRun.objects.select_related("job").get(pk=run.pk)


def test_two_train_together(monkeypatch):
    study = training_study(24)
    both = train(study)
    assert both.job.state == Job.State.DONE, both.job.log
    assert both.device_used == "2 × cpu"
    assert both.checkpoints.count() == 2
    monkeypatch.setattr(execution, "devices_for", lambda kind, asked: ["cpu"])
    one = train(study)
    for name in ("loss", "bleu"):
        assert both.curves.get(name=name).values == pytest.approx(one.curves.get(name=name).values, rel=1e-4)


def test_a_fault_in_one_of_them_is_said():
    study = training_study(24)
    run = start_training(study=study, model="seq2seq", options=SMALL, by=None)
    run.options["longest"] = 1  # a training with nothing left is not queued: the texts were longer when it was
    run.save()
    run_job(run.job_id, run_training)
    job = Job.objects.get(pk=run.job_id)
    assert job.state == Job.State.FAILED
    assert job.error
    assert "Traceback" not in job.error


def _work(run) -> None:
    run_job(run.job_id, run_training)
    connection.close()  # the thread's own


def test_both_are_stopped():
    study = training_study(24)
    run = start_training(study=study, model="seq2seq", options={**SMALL, "epochs": 10_000, "patience": 0}, by=None)

    thread = threading.Thread(target=_work, args=[run])
    thread.start()
    wait_until(lambda: run.checkpoints.filter(kind="last").exists(), "Nothing was kept", 240)
    cancel_job(job=Job.objects.get(pk=run.job_id))
    thread.join(120)
    job = Job.objects.get(pk=run.job_id)
    assert job.state == Job.State.CANCELLED, job.log
    assert job.done > 0


def test_both_are_preempted_and_go_on_to_the_same_weights(monkeypatch):
    study = training_study(24)
    undisturbed = train(study, epochs=5, patience=0)
    run = start_training(study=study, model="seq2seq", options={**SMALL, "epochs": 5, "patience": 0}, by=None)
    signalled = _signalled(monkeypatch)
    thread = threading.Thread(target=_work, args=[run])
    with preemption.listening():
        with held():
            thread.start()
            wait_until_held()
            preemption.ask()
            wait_until(lambda: len(signalled) >= 2, "The two were not told")
        thread.join(120)
    job = Job.objects.get(pk=run.job_id)
    assert (job.state, job.fruitless) == (Job.State.QUEUED, 0), job.log
    assert 0 < job.done < job.total
    assert [checkpoint.kind for checkpoint in run.checkpoints.order_by("kind")] == ["best", "last"]
    run_job(run.job_id, run_training)
    job.refresh_from_db()
    assert (job.state, job.attempts) == (Job.State.DONE, 2), job.log
    assert weights(run) == weights(undisturbed)


def _signalled(monkeypatch) -> list[int]:
    """The processes that are signalled from here on."""
    found, kill = [], distributed.os.kill

    def signal_it(pid: int, number: int) -> None:
        kill(pid, number)
        found.append(pid)

    monkeypatch.setattr(distributed.os, "kill", signal_it)
    return found
