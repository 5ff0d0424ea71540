"""Transfer runs on real workers. A row lock of the test's holds a run at a place, so that 'the middle' is no luck."""

import os
import signal
from contextlib import contextmanager

import psycopg
import pytest
from django.db import connection
from support.campaigns import study as new_study
from support.processes import wait_until

from corpora.models import Output, Sentence
from foundation.options import validate_options
from jobs.actions.cancel_job import cancel_job
from jobs.actions.retry_job import retry_job
from jobs.models import Job
from jobs.queueing import dispatch
from modelserving.actions.start_transfer import start_transfer
from modelserving.transfer import TRANSFERS

SOURCES = 80
BATCH = 32  # what the workers do between two looks at the row
HELD = 50  # a source of the second batch


@contextmanager
def held_at(study, number):
    """Nobody can store an output of the source until the block ends: its row is locked by another connection."""
    sentence = Sentence.objects.get(direction__study=study, number=number)
    options = {key: value for key, value in connection.get_connection_params().items() if key != "context"}
    options.pop("cursor_factory", None)
    with psycopg.connect(**options) as other:
        other.execute("SELECT 1 FROM corpora_sentence WHERE id = %s FOR UPDATE", [sentence.pk])
        yield
        other.rollback()


def start(study, name="Rules"):
    return start_transfer(study=study, model="rule_based_formality", name=name, by=None)


def row(run) -> Job:
    return Job.objects.get(pk=run.job_id)


def wait_for(run, state):
    wait_until(lambda: row(run).state == state, lambda: f"The job did not become {state}: {row(run).log}")
    return row(run)


def wait_for_the_middle(run):
    """The first batch is stored, the second waits for the lock, and the row was written longer ago than a moment."""
    wait_until(lambda: run.system.outputs.count() == BATCH, "The first batch was not stored")

    def beat():
        job = row(run)
        return (job.heartbeat_at - job.started_at).total_seconds() > 1

    wait_until(beat, "The heart of the waiting job did not beat")


def assert_whole(run):
    """Every source has its one output, and it is the rules' own."""
    outputs = run.system.outputs.order_by("sentence__number").values_list("sentence__number", "text")
    sources = list(
        Sentence.objects.filter(direction__study=run.study).order_by("number").values_list("text", flat=True)
    )
    kind = TRANSFERS[run.model]
    expected = kind.load(None).transfer(sources, ("informal", "formal"), validate_options(kind.Decoding, run.settings))
    assert list(outputs) == list(enumerate(expected, 1))
    assert len(outputs) == SOURCES


@pytest.fixture
def study(celery_workers):
    return new_study(SOURCES)


def test_a_run_gives_the_study_a_system(study):
    run = start(study)
    job = wait_for(run, Job.State.DONE)
    assert_whole(run)
    assert (job.done, job.total, job.attempts, job.error) == (SOURCES, SOURCES, 1, "")
    assert "80 of 80 sources have an output." in job.log
    assert job.queue == "quick"


@pytest.mark.soak
def test_a_long_step_is_not_taken_for_a_lost_worker(study, watchdog):
    with held_at(study, HELD):
        run = start(study)
        wait_for_the_middle(run)
        wait_until(lambda: (row(run).heartbeat_at - row(run).started_at).total_seconds() > 5, "The heart stopped")
    assert wait_for(run, Job.State.DONE).attempts == 1


@pytest.mark.soak
def test_a_killed_process_of_the_pool_is_made_good(study, celery_workers, watchdog):
    with held_at(study, HELD):
        run = start(study)
        wait_for_the_middle(run)
        for pid in celery_workers.pids("quick"):
            os.kill(pid, signal.SIGKILL)
        begun = f"{BATCH} of {SOURCES} outputs are there."
        wait_until(lambda: begun in row(run).log, "The job was not taken again")
    job = wait_for(run, Job.State.DONE)
    assert_whole(run)
    # either the sweep queued it again, or the message that came back found its last holder's heart stopped
    assert job.attempts >= 2  # more where a loaded machine lets a heart miss its beats


def test_a_killed_worker_is_made_good(study, celery_workers, watchdog):
    with held_at(study, HELD):
        run = start(study)
        wait_for_the_middle(run)
        celery_workers.kill("quick")
    celery_workers.ensure_up()
    job = wait_for(run, Job.State.DONE)
    assert_whole(run)
    assert job.attempts == 2


@pytest.mark.soak
def test_a_worker_that_is_stopped_in_the_middle_leaves_its_job_to_the_next(study, celery_workers, watchdog):
    with held_at(study, HELD):
        run = start(study)
        wait_for_the_middle(run)
        child = celery_workers.children["quick"]
        child.signal(signal.SIGTERM)
        child.signal(signal.SIGQUIT)  # as the launcher does, when the first did not end it
        wait_until(child.ended, "The worker did not end", patience=20)
    celery_workers.ensure_up()
    wait_for(run, Job.State.DONE)
    assert_whole(run)


@pytest.mark.soak
def test_a_worker_that_is_stopped_gives_its_run_back_after_the_batch(study, celery_workers):
    """Nothing is lost, no watchdog is needed, and the worker ends by itself."""
    with held_at(study, HELD):
        run = start(study)
        wait_for_the_middle(run)
        child = celery_workers.children["quick"]
        for pid in [child.process.pid, *celery_workers.pids("quick")]:
            os.kill(pid, signal.SIGTERM)
    wait_until(child.ended, "The worker did not end")
    job = row(run)
    assert (job.state, job.done, job.fruitless) == (Job.State.QUEUED, 2 * BATCH, 0)
    assert run.system.outputs.count() == 2 * BATCH
    celery_workers.ensure_up()
    assert f"{2 * BATCH} of {SOURCES} outputs are there." in wait_for(run, Job.State.DONE).log
    assert_whole(run)


def test_a_run_is_cancelled_between_batches_and_goes_on_where_it_stopped(study):
    with held_at(study, HELD):
        run = start(study)
        wait_for_the_middle(run)
        cancel_job(job=row(run))
        assert row(run).state == Job.State.RUNNING
    job = wait_for(run, Job.State.CANCELLED)
    assert run.system.outputs.count() == 2 * BATCH
    assert job.done == 2 * BATCH
    retry_job(job=job)
    job = wait_for(run, Job.State.DONE)
    assert f"{2 * BATCH} of {SOURCES} outputs are there." in job.log
    assert_whole(run)


def test_a_job_that_is_cancelled_while_it_waits_is_never_run(study):
    other = new_study(SOURCES)
    with held_at(study, 1):
        first, second = start(study), start(other)
        wait_until(lambda: row(first).state == Job.State.RUNNING, "The first run did not start")
        assert cancel_job(job=row(second)).state == Job.State.CANCELLED
    wait_for(first, Job.State.DONE)
    last = start(study, "Rules again")
    wait_for(last, Job.State.DONE)  # behind the cancelled one's message
    assert row(second).log == ""
    assert not second.system.outputs.exists()


def test_a_message_that_comes_again_finds_the_job_done(study):
    run = start(study)
    before = wait_for(run, Job.State.DONE)
    dispatch(before)
    wait_for(start(study, "Rules again"), Job.State.DONE)  # behind it in the queue
    after = row(run)
    assert (after.attempts, after.log, after.ended_at) == (before.attempts, before.log, before.ended_at)
    assert Output.objects.filter(system=run.system).count() == SOURCES


@pytest.mark.soak
def test_workers_give_their_connections_back(study):
    wait_for(start(study), Job.State.DONE)
    before = _connections()
    for name in "abc":
        wait_for(start(study, name), Job.State.DONE)
    wait_until(lambda: _connections() <= before, "Connections to the database were left open", patience=20)


def _connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        return cursor.fetchone()[0]
