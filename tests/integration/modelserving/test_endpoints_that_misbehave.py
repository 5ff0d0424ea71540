"""What is said of an endpoint that hangs, lies, limits or leaves: one sentence that names it, and not its address."""

import threading

import pytest
from support.language_model_server import completion, served
from support.training_studies import TUNE, training_study

from jobs.execution import run_job
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_transfer
from modelserving.training_runs.execution import clear_up, run_training
from modelserving.transfer_runs import run_transfer

pytestmark = pytest.mark.django_db(transaction=True)
OPTIONS = {"endpoint": "far", "model": "tiny", "tune_most": 0}
QUICK = {"parallel": 1, "retries": 0, "timeout": 1.0}
NO_COMPLETION = "The endpoint far answers with something that is no chat completion."


@pytest.fixture
def server(monkeypatch):
    with served() as one:
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"far={one.url} models=tiny")
        yield one


def hangs(server):
    server.gate = threading.Event()


def is_no_json(server):
    server.behave = lambda request: (200, {}, b"<html>Sign in to the network</html>")


def has_no_choices(server):
    server.behave = lambda request: (200, {}, completion(request, choices=[]))


def is_another_model(server):
    server.behave = lambda request: (200, {}, completion(request, "other" if len(server.requests) > 2 else "tiny"))


def limits(server):
    server.behave = lambda request: (429, {}, b"")


def limits_for_hours(server):
    server.behave = lambda request: (429, {"retry-after": "7200"}, b"")


def leaves(server):
    def broken(handler):
        handler.send_response(200)
        handler.send_header("content-length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"choices": [')
        handler.close_connection = True

    server.behave = lambda request: broken


def has_no_room(server):
    body = b'{"error": {"message": "5,000 tokens, and there is room for 4,096", "code": "context_length_exceeded"}}'
    server.behave = lambda request: (400, {}, body)


MISBEHAVIOUR = [  # the last one gives answers, which are not asked for again
    (hangs, "The endpoint far does not answer in time."),
    (is_no_json, NO_COMPLETION),
    (has_no_choices, NO_COMPLETION),
    (limits, "The endpoint far limits how much it is asked."),
    (limits_for_hours, "The endpoint far limits how much it is asked. The endpoint asks to wait 120 minutes; run "
     "it again then."),
    (leaves, "The endpoint far broke off its answer."),
    (has_no_room, "The prompt is too long for the endpoint far: 5,000 tokens, and there is room for 4,096."),
    (is_another_model, "The endpoint far answered as tiny before, and as other now; outputs of two models are no "
     "one system's. Train with another seed to ask again."),
]  # fmt: skip


def test_it_is_one_sentence(server):
    study = training_study(16 + 2 * TUNE)
    training = start_training(study=study, model="prompted", options=OPTIONS, by=None)
    run_job(training.job_id, run_training)
    clear_up(training.job_id)
    checkpoint = training.checkpoints.get(kind="best")
    for behave, sentence in MISBEHAVIOUR:
        server.requests.clear()
        behave(server)
        run = start_transfer(study=study, checkpoint=checkpoint, name=behave.__name__, settings=QUICK, by=None)
        run_job(run.job_id, run_transfer)
        if server.gate:
            server.gate.set()
            server.gate = None
        job = Job.objects.get(pk=run.job_id)
        assert (job.state, job.error) == (Job.State.FAILED, sentence), behave.__name__
        assert server.url not in job.log, behave.__name__
