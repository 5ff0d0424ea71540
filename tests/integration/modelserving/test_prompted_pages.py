"""A prompted model from the page on a site that names no endpoint: a folder below RESTYLE_MODELS alone will do."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from support import tiny_transformers
from support.campaigns import person
from support.training_studies import training_study

from accounts.permissions import Role
from foundation.options import list_options
from jobs.execution import run_job
from jobs.models import Job
from modelserving.actions.start_transfer import start_transfer
from modelserving.models import TrainingRun, TransferRun
from modelserving.training_runs.execution import clear_up, run_training
from modelserving.transfer import TRANSFERS
from modelserving.transfer_runs import run_transfer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
CARD = r'<input type="radio" name="model" id="kind-prompted"[^>]*>'


@pytest.fixture(autouse=True)
def no_endpoint(monkeypatch, settings, tmp_path):
    monkeypatch.delenv("RESTYLE_LANGUAGE_MODELS", raising=False)
    monkeypatch.delenv("RESTYLE_LANGUAGE_MODEL_KEYS", raising=False)
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path / "models"))
    settings.WORK_FOLDER = tmp_path / "work"


@pytest.fixture
def study():
    return training_study(24)


@pytest.fixture
def client(study):
    client = Client()
    client.force_login(person(Role.RESEARCHER, study))
    return client


@pytest.fixture
def folder(tmp_path):
    return tiny_transformers.make("causal", tmp_path / "models" / "tiny-chat")


def form(**changes):
    usual = {
        one.name: str(one.default) for one in list_options(TRANSFERS["prompted"].Options) if one.default is not False
    }
    quick = {"folder": "tiny-chat", "most_tokens": "8", "keep_cut": "on", "tune_most": "2", "message": "Say: {text}"}
    return {
        "model": "prompted", "direction": "", "name": "Folder", "seed": "3", "device": "cpu",
        "option-shown": "prompted", **{f"option-{name}": value for name, value in (usual | quick | changes).items()},
    }  # fmt: skip


def train(client, study):
    answer = client.post(reverse("training_new", args=[study.slug]), form())
    assert answer.status_code == 302, re.findall(r'class="errorlist[^>]*>.*?</ul>', answer.content.decode(), re.S)
    run = TrainingRun.objects.get()
    run_job(run.job_id, run_training)
    clear_up(run.job_id)
    job = Job.objects.get(pk=run.job_id)
    assert job.state == Job.State.DONE, job.error
    return run.checkpoints.get(kind="best")


def run_on(study, checkpoint, name):
    return work(start_transfer(study=study, checkpoint=checkpoint, name=name, by=None))


def work(run):
    run_job(run.job_id, run_transfer)
    return TransferRun.objects.select_related("job", "system").get(pk=run.pk)


def test_without_a_folder_the_card_is_grey_and_says_what_is_lacking(client, study):
    page = client.get(reverse("training_new", args=[study.slug])).content.decode()
    (card,) = re.findall(CARD, page)
    assert "disabled" in card
    assert "no endpoint of language models, and no instruct model lies below RESTYLE_MODELS" in page


def test_a_folder_alone_enables_the_card_and_it_is_trained_and_run(client, study, folder):
    page = client.get(reverse("training_new", args=[study.slug])).content.decode()
    (card,) = re.findall(CARD, page)
    assert "disabled" not in card
    options = client.get(
        reverse("training_new", args=[study.slug]), {"model": "prompted"}, headers={"HX-Request": "true"}
    ).content.decode()
    assert re.search(r"<option[^>]*tiny-chat", options), "the folders are offered"
    checkpoint = train(client, study)
    run = run_on(study, checkpoint, "One")
    assert run.job.state == Job.State.DONE, run.job.error
    assert (run.usage["calls"], run.usage["kept"], run.usage["cost"]) == (22, 2, 0)
    assert "|folder:tiny-chat|base:" in run.signature
    assert "answered:" not in run.signature
    again = run_on(study, checkpoint, "Two")
    assert (again.usage["calls"], again.usage["kept"]) == (0, 24)
    assert list(again.system.outputs.order_by("sentence").values_list("text", flat=True)) == list(
        run.system.outputs.order_by("sentence").values_list("text", flat=True)
    )
    assert again.signature == run.signature
