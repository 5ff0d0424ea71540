"""A prompted run in a real worker: killed in the middle nothing is paid twice, and a cancellation waits for no call."""

import threading
from collections import Counter

import pytest
from support import tiny_transformers
from support.language_model_server import shared, shared_environment
from support.processes import wait_until
from support.training_studies import TUNE, training_study

from jobs.actions.cancel_job import cancel_job
from jobs.actions.retry_job import retry_job
from jobs.execution import run_job
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_transfer
from modelserving.models import ModelAnswer
from modelserving.training_runs.execution import run_training

OPTIONS = {"endpoint": "far", "model": "tiny", "tune_most": 0}
TRAIN = 16
SOURCES = TRAIN + 2 * TUNE
ANSWERED, UNDER_WAY = 6, 2


class Held:
    """A server that answers so many requests and holds the others until the gate is open."""

    def __init__(self, answered):
        self.answered, self.gate = answered, threading.Event()
        self.server = None

    def __call__(self, request):
        if len(self.server.requests) > self.answered:
            self.gate.wait(120)


@pytest.fixture
def held():
    return Held(ANSWERED)


@pytest.fixture
def server(held):
    with shared(behave=held) as one:
        held.server = one
        yield one
        held.gate.set()


@pytest.fixture
def study(celery_workers, server, monkeypatch):
    for name, value in shared_environment().items():
        monkeypatch.setenv(name, value)
    return training_study(SOURCES)


def start(study):
    """A run of which as many calls are under way as may be, and whose other answers are kept."""
    training = start_training(study=study, model="prompted", options=OPTIONS, send=False, by=None)
    run_job(training.job_id, run_training)
    checkpoint = training.checkpoints.get(kind="best")
    return start_transfer(
        study=study, checkpoint=checkpoint, name="Prompted", settings={"parallel": UNDER_WAY}, by=None
    )


def row(run) -> Job:
    return Job.objects.get(pk=run.job_id)


def wait_for_the_middle(study, server):
    wait_until(lambda: len(server.requests) == ANSWERED + UNDER_WAY, "The calls did not come")
    wait_until(lambda: ModelAnswer.objects.filter(study=study).count() == ANSWERED, "The answers were not kept")


def wait_for(run, state) -> Job:
    wait_until(
        lambda: row(run).state == state, lambda: f"The job did not become {state}: {row(run).log} {row(run).error}"
    )
    return row(run)


@pytest.mark.soak
def test_a_killed_worker_asks_again_for_nothing_that_was_answered(study, server, held, celery_workers, watchdog):
    run = start(study)
    wait_for_the_middle(study, server)
    paid = server.prompts[:ANSWERED]
    celery_workers.kill("quick")
    held.gate.set()
    celery_workers.ensure_up()
    assert wait_for(run, Job.State.DONE).attempts == 2
    asked = Counter(server.prompts)
    assert [asked[prompt] for prompt in paid] == [1] * ANSWERED
    assert sorted(asked.values()) == [1] * (SOURCES - UNDER_WAY) + [2] * UNDER_WAY  # what was under way was lost
    assert run.system.outputs.count() == SOURCES
    run.refresh_from_db()
    assert run.usage["calls"] == SOURCES


@pytest.mark.soak
def test_a_cancellation_waits_for_no_call_that_hangs(study, server, held, celery_workers):
    run = start(study)
    wait_for_the_middle(study, server)
    process = celery_workers.pids("quick")
    cancel_job(job=row(run))
    job = wait_for(run, Job.State.CANCELLED)
    assert (job.ended_at - job.stopping_at).total_seconds() < 3  # a call may take 60
    assert celery_workers.pids("quick") == process  # it was no killing: the job ended by itself
    held.gate.set()
    retry_job(job=job)
    wait_for(run, Job.State.DONE)
    assert run.system.outputs.count() == SOURCES


@pytest.mark.soak
def test_a_killed_worker_computes_nothing_again_that_a_folder_answered(celery_workers, watchdog, models_folder):
    tiny_transformers.make("causal", models_folder / "tiny-chat")
    many = 160
    study = training_study(many)
    options = {
        "folder": "tiny-chat", "tune_most": 0, "most_tokens": 64, "keep_cut": True, "message": "{text}", "system": "",
    }  # fmt: skip
    training = start_training(study=study, model="prompted", options=options, send=False, by=None)
    run_job(training.job_id, run_training)
    run = start_transfer(study=study, checkpoint=training.checkpoints.get(kind="best"), name="Folder", by=None)
    answers = ModelAnswer.objects.filter(job=run.job_id)
    wait_until(answers.exists, "No answer was kept")
    celery_workers.kill("quick")
    kept = dict(answers.values_list("pk", "made_at"))
    assert 0 < len(kept) < many
    celery_workers.ensure_up()
    assert wait_for(run, Job.State.DONE).attempts == 2
    assert kept.items() <= dict(answers.values_list("pk", "made_at")).items()
    run.refresh_from_db()
    assert run.usage["calls"] == answers.count() == run.system.outputs.count() == many
