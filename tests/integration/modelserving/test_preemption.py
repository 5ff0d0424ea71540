"""A worker that is told to stop keeps what its job has made and gives it back; the next one goes on, before the others.

The training is held by a lock of the test's while the signals are sent: it hears of them at its next batch.
"""

import os
import shutil
import signal

import pytest
from support.held_trainings import held, row, start, wait_for, wait_until_held, weights
from support.processes import wait_until
from support.training_studies import training_study

from jobs.models import Job
from jobs.workers import workers
from modelserving.training_runs.execution import folder_of

pytestmark = [pytest.mark.slow, pytest.mark.soak]
GIVEN_BACK = "Its worker was asked to end; another goes on."


@pytest.fixture
def study(celery_workers):
    return training_study(24)


def first_process_alone(worker):
    """As `docker stop` does, through the launcher; Celery passes it on before its consumer stops."""
    worker.signal(signal.SIGTERM)
    wait_until(lambda: not any(one.name.startswith("gpu@") for one in workers()), "The worker reads on")


def all_at_once(worker):
    """As schedulers do, and systemd with KillMode=control-group."""
    for pid in [worker.process.pid, *_pool(worker)]:
        os.kill(pid, signal.SIGTERM)


def _pool(worker):
    import psutil

    return [one.pid for one in psutil.Process(worker.process.pid).children()]


@pytest.mark.parametrize("preempt", [first_process_alone, all_at_once])
@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_training_whose_worker_is_told_to_stop_goes_on_to_the_same_weights(study, celery_workers, preempt, elsewhere):
    undisturbed = wait_for(start(study), Job.State.DONE)
    worker = celery_workers.children["gpu"]
    with held():
        run = start(study)
        wait_until_held()
        waiting = start(study)  # behind it, and before it is given back
        preempt(worker)
    wait_until(worker.ended, "The worker did not end")
    assert worker.process.returncode == 0
    job = row(run)
    assert (job.state, job.holder, job.error) == (Job.State.QUEUED, None, "")
    assert (job.furthest, job.fruitless) == (job.done, 0)
    assert GIVEN_BACK in job.log
    assert "lost" not in job.log
    if elsewhere:
        shutil.rmtree(folder_of(run))
    celery_workers.ensure_up()
    run = wait_for(run, Job.State.DONE)
    assert weights(run) == weights(undisturbed)
    wait_for(waiting, Job.State.DONE)
    assert row(run).ended_at <= row(waiting).started_at  # which was in the queue first
