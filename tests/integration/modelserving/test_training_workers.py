"""A network trained by a real worker, killed in the middle, ends bit for bit as one that was left alone.

A row lock of the test's holds the training at a place, so that 'the middle' is no luck.
"""

import os
import shutil
import signal
from contextlib import contextmanager

import psycopg
import pytest
from django.db import connection
from support.processes import wait_until
from support.training_studies import training_study

from jobs.actions.cancel_job import cancel_job
from jobs.actions.retry_job import retry_job
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_transfer
from modelserving.models import TrainingRun
from modelserving.trainings import folder_of

OPTIONS = {"hidden": 8, "embedding": 8, "batch": 4, "epochs": 25, "patience": 0, "keep_every": 7}
PATIENCE = 240  # seconds: a worker imports PyTorch


@contextmanager
def held(run):
    """The training's row cannot be written until the block ends: its watch waits there."""
    options = {key: value for key, value in connection.get_connection_params().items() if key != "context"}
    options.pop("cursor_factory", None)
    with psycopg.connect(**options) as other:
        other.execute("SELECT 1 FROM modelserving_trainingrun WHERE id = %s FOR UPDATE", [run.pk])
        yield
        other.rollback()


def start(study, **given) -> TrainingRun:
    return start_training(study=study, model="seq2seq", options={**OPTIONS, **given}, device="cpu", by=None)


def row(run) -> Job:
    return Job.objects.get(pk=run.job_id)


def wait_for(run, state) -> TrainingRun:
    wait_until(lambda: row(run).state == state, f"The job did not become {state}: {row(run).log}", PATIENCE)
    return TrainingRun.objects.get(pk=run.pk)


def wait_for_the_middle(run):
    """Something was kept, and more is to come."""
    wait_until(lambda: run.checkpoints.filter(kind="last").exists(), "Nothing was kept", PATIENCE)


def weights(run) -> list[str]:
    kinds = [run.checkpoints.get(kind=kind).manifest["files"] for kind in ("best", "last")]
    return [one["weights.safetensors"]["sha256"] for one in kinds] + [kinds[1]["optimizer.safetensors"]["sha256"]]


@pytest.fixture
def study(celery_workers):
    return training_study(24)


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_training_that_is_killed_ends_as_one_that_was_left_alone(study, celery_workers, celery_beat, elsewhere):
    undisturbed = wait_for(start(study), Job.State.DONE)
    run = start(study)
    wait_for_the_middle(run)
    with held(run):
        assert row(run).state == Job.State.RUNNING
        for pid in celery_workers.pids("gpu"):
            os.kill(pid, signal.SIGKILL)
        celery_workers.kill("gpu")
        if elsewhere:
            shutil.rmtree(folder_of(run))
    celery_workers.ensure_up()
    run = wait_for(run, Job.State.DONE)
    assert row(run).attempts == 2
    assert "Its worker was lost." in row(run).log
    assert weights(run) == weights(undisturbed)
    assert [(one.name, one.values) for one in run.curves.exclude(name="tokens a second")] == [
        (one.name, one.values) for one in undisturbed.curves.exclude(name="tokens a second")
    ]


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
