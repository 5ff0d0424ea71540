"""A network trained by a real worker, killed in the middle, ends bit for bit as one that was left alone.

A lock of the test's holds the training at a place, so that 'the middle' is no luck.
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
from modelserving.training_runs.execution import folder_of

OPTIONS = {"hidden": 8, "embedding": 8, "batch": 4, "epochs": 25, "patience": 0, "keep_every": 7}
HELD = 4711
HOLD = f"""
    CREATE FUNCTION wait_for_the_test() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock({HELD}); RETURN NEW; END $$;
    CREATE TRIGGER wait_for_the_test BEFORE UPDATE OF samples ON modelserving_trainingrun FOR EACH ROW
        WHEN (jsonb_array_length(NEW.samples) = 3) EXECUTE FUNCTION wait_for_the_test();
"""
WAITING = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = %s"
PATIENCE = 240  # seconds: a worker imports PyTorch


@contextmanager
def held():
    """Trainings cannot go on behind their third look at the tune set until the block ends."""
    options = {key: value for key, value in connection.get_connection_params().items() if key != "context"}
    options.pop("cursor_factory", None)
    with psycopg.connect(**options, autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(%s)", [HELD])
        other.execute(HOLD)
        try:
            yield
        finally:
            other.execute("SELECT pg_advisory_unlock(%s)", [HELD])
            other.execute("DROP FUNCTION wait_for_the_test CASCADE")


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


def wait_until_held():
    """A training stands at its third look: two epochs are in storage, and more are to come."""

    def waits() -> bool:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = %s", [HELD]
            )
            return cursor.fetchone()[0] == 1

    wait_until(waits, "The training did not come to its third look", PATIENCE)


def weights(run) -> list[str]:
    kinds = [run.checkpoints.get(kind=kind).manifest["files"] for kind in ("best", "last")]
    return [one["weights.safetensors"]["sha256"] for one in kinds] + [kinds[1]["optimizer.safetensors"]["sha256"]]


@pytest.fixture
def study(celery_workers):
    return training_study(24)


def test_a_training_that_is_killed_ends_as_one_that_was_left_alone(study, celery_workers, watchdog):
    undisturbed = wait_for(start(study), Job.State.DONE)
    for elsewhere in (False, True):
        run = killed_in_the_middle(study, celery_workers, elsewhere)
        assert row(run).attempts == 2
        assert "Its worker was lost." in row(run).log
        assert weights(run) == weights(undisturbed)
        assert curves(run) == curves(undisturbed)


def curves(run) -> list[tuple[str, list]]:
    return [(curve.name, curve.values) for curve in run.curves.exclude(name="tokens a second").order_by("name")]


def killed_in_the_middle(study, celery_workers, elsewhere) -> TrainingRun:
    """A training that is done, whose worker was killed; it went on `elsewhere` where its folder was gone too."""
    with held():
        run = start(study)
        wait_until_held()
        assert row(run).state == Job.State.RUNNING
        assert run.checkpoints.count() == 2
        for pid in celery_workers.pids("gpu"):
            os.kill(pid, signal.SIGKILL)
        celery_workers.kill("gpu")
        if elsewhere:
            shutil.rmtree(folder_of(run))
    celery_workers.ensure_up()
    return wait_for(run, Job.State.DONE)


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
