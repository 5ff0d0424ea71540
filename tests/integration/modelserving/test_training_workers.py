"""A network trained by a real worker that is told to stop, or killed, ends bit for bit as one that was left alone."""

import os
import shutil
import signal

import pytest
from support.held_trainings import (
    PATIENCE,
    curves,
    held,
    row,
    start,
    wait_for,
    wait_for_the_middle,
    wait_until_held,
    weights,
)
from support.processes import wait_until
from support.training_studies import training_study

from jobs.actions.cancel_job import cancel_job
from jobs.actions.retry_job import retry_job
from jobs.models import Job
from modelserving.actions.start_transfer import start_transfer
from modelserving.models import TrainingRun
from modelserving.training_runs.execution import folder_of

EPOCHS = 5
GIVEN_BACK, LOST = "Its worker was asked to end; another goes on.", "Its worker was lost."


@pytest.fixture
def study(celery_workers):
    return training_study(24)


def kill(celery_workers) -> None:
    """The worker of models, and each process of its pool."""
    for pid in celery_workers.pids("gpu"):
        os.kill(pid, signal.SIGKILL)
    celery_workers.kill("gpu")


def test_a_training_that_is_preempted_and_then_killed_ends_as_one_that_was_left_alone(study, celery_workers, watchdog):
    """Each time another machine goes on, where nothing of it lies."""
    undisturbed = wait_for(start(study, epochs=EPOCHS), Job.State.DONE)
    worker = celery_workers.children["gpu"]
    with held(looks=2):
        run = start(study, epochs=EPOCHS)
        wait_until_held()
        waiting = start(study, epochs=1)  # behind it, and before it is given back
        for pid in [worker.process.pid, *celery_workers.pids("gpu")]:
            os.kill(pid, signal.SIGTERM)
    wait_until(worker.ended, "The worker that was told to stop did not end")
    assert worker.process.returncode == 0
    job = row(run)
    assert (job.state, job.holder, job.error) == (Job.State.QUEUED, None, "")
    assert (job.furthest, job.fruitless) == (job.done, 0)
    assert GIVEN_BACK in job.log
    assert LOST not in job.log
    shutil.rmtree(folder_of(run))
    with held(looks=4):
        celery_workers.ensure_up()
        wait_until_held()
        assert cancel_job(job=row(waiting)).state == Job.State.CANCELLED  # what was given back went before it
        kill(celery_workers)
        shutil.rmtree(folder_of(run))
    celery_workers.ensure_up()
    run = wait_for(run, Job.State.DONE)
    assert row(run).attempts == 3
    assert LOST in row(run).log
    assert weights(run) == weights(undisturbed)
    assert curves(run) == curves(undisturbed)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("model", "elsewhere"),
    [
        ("seq2seq", (False, True)),
        ("transformer", (True,)),
        ("controlled_gen", (True,)),
        ("unts", (True,)),
        ("style_transformer", (True,)),
        ("delete_and_retrieve", (True,)),
    ],
)
def test_a_training_that_is_killed_ends_as_one_that_was_left_alone(model, elsewhere, study, celery_workers, watchdog):
    undisturbed = wait_for(start(study, model), Job.State.DONE)
    for gone in elsewhere:
        run = killed_in_the_middle(study, model, celery_workers, elsewhere=gone)
        assert row(run).attempts == 2
        assert LOST in row(run).log
        assert weights(run) == weights(undisturbed)
        assert curves(run) == curves(undisturbed)


def killed_in_the_middle(study, model, celery_workers, *, elsewhere) -> TrainingRun:
    """A training that is done, whose worker was killed; it went on `elsewhere` where its folder was gone too."""
    with held():
        run = start(study, model)
        wait_until_held()
        assert row(run).state == Job.State.RUNNING
        assert run.checkpoints.count() == 2
        kill(celery_workers)
        if elsewhere:
            shutil.rmtree(folder_of(run))
    celery_workers.ensure_up()
    return wait_for(run, Job.State.DONE)


@pytest.mark.soak
def test_a_training_is_cancelled_resumed_and_its_model_writes_a_system(study):
    run = start(study, epochs=10_000)
    wait_for_the_middle(run)
    cancel_job(job=row(run))
    stopped = wait_for(run, Job.State.CANCELLED)
    done = row(run).done
    assert 0 < done < row(run).total
    assert stopped.checkpoints.count() == 2
    retry_job(job=row(run))
    wait_until(lambda: row(run).state == Job.State.RUNNING and row(run).done > done, "It did not go on", PATIENCE)
    cancel_job(job=row(run))
    wait_for(run, Job.State.CANCELLED)
    made = start_transfer(study=study, checkpoint=run.checkpoints.get(kind="best"), split="test", name="Net", by=None)
    wait_until(lambda: row(made).is_over, "The transfer did not end", PATIENCE)
    assert row(made).state == Job.State.DONE, row(made).log
    assert (made.system.family, made.system.seed) == ("seq2seq", 1)
    assert made.system.options["hidden"] == 8
    assert set(made.system.outputs.values_list("sentence__split", flat=True)) <= {"test"}


@pytest.mark.soak
def test_a_run_waits_for_its_training_whose_worker_is_killed_meanwhile(study, celery_workers, watchdog):
    with held():
        training = start(study, hidden=32, embedding=32, rate=0.02)
        made = start_transfer(study=study, training=training, split="test", name="Net", by=None)
        wait_until_held()
        kill(celery_workers)
        assert row(made).state == Job.State.QUEUED
    celery_workers.ensure_up()
    wait_until(lambda: row(made).is_over, "The run did not end", PATIENCE)
    assert row(made).state == Job.State.DONE, row(made).log
    assert row(training).attempts == 2
    assert row(made).attempts == 1
    assert made.system.outputs.count() == 4, row(made).log
