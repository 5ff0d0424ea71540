"""What is seen of an endpoint that hangs, lies, limits or leaves: one sentence on the job's page that names it."""

import os
import threading

import pytest
from playwright.sync_api import expect
from support import campaigns as made
from support.axe import faults_in_two_states
from support.demo_site import sign_in
from support.language_model_server import completion, shared, shared_environment
from support.processes import wait_until
from support.training_studies import TUNE, training_study

from accounts.permissions import Role
from jobs.execution.runner import run_job
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_transfer
from modelserving.training_runs.execution import clear_up, run_training

OPTIONS = {"endpoint": "far", "model": "tiny", "tune_most": 0}
QUICK = {"parallel": 1, "retries": 0, "timeout": 1.0}
NO_COMPLETION = "The endpoint far answers with something that is no chat completion."


@pytest.fixture
def server():
    with shared() as one:
        yield one


@pytest.fixture
def study(server, celery_workers, monkeypatch):
    for name, value in shared_environment().items():
        monkeypatch.setenv(name, value)
    return training_study(16 + 2 * TUNE)


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


def shoot(page, name):
    """In light and dark, and as wide as a phone."""
    folder = os.environ.get("SHOTS")
    if not folder:
        return
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=f"{folder}/{name}-{scheme}.png", full_page=True)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 390, "height": 844})
    page.screenshot(path=f"{folder}/{name}-390.png", full_page=True)


@pytest.mark.parametrize(
    ("behave", "sentence"),
    [
        (hangs, "The endpoint far does not answer in time."),
        (is_no_json, NO_COMPLETION),
        (has_no_choices, NO_COMPLETION),
        (is_another_model, "The endpoint far answered as tiny before, and as other now; outputs of two models are no "
         "one system's. Train with another seed to ask again."),
        (limits, "The endpoint far limits how much it is asked."),
        (limits_for_hours, "The endpoint far limits how much it is asked. It asks to wait 120 minutes; run it again "
         "then."),
        (leaves, "The endpoint far broke off its answer."),
        (has_no_room, "The prompt is too long for the endpoint far: 5,000 tokens, and there is room for 4,096."),
    ],
)  # fmt: skip
def test_it_is_one_sentence_on_the_jobs_page(page, web_server, study, server, behave, sentence):
    training = start_training(study=study, model="prompted", options=OPTIONS, send=False, by=None)
    run_job(training.job_id, run_training)
    clear_up(training.job_id)
    checkpoint = training.checkpoints.get(kind="best")
    behave(server)
    run = start_transfer(study=study, checkpoint=checkpoint, name="Asked", settings=QUICK, by=None)
    wait_until(lambda: Job.objects.get(pk=run.job_id).is_over, "The run did not end")
    sign_in(page, made.person(Role.RESEARCHER, study), web_server.url)
    page.goto(f"/studies/{study.slug}/jobs/{run.job_id}/")
    expect(page.locator(".message.error")).to_have_text(sentence)
    assert server.url not in page.content()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shoot(page, behave.__name__)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults_in_two_states(page) == []
