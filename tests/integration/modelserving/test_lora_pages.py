"""An adapter from the page: its folder is chosen, it is trained, run on the test split, and stands in the report."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from support import tiny_transformers
from support.campaigns import person
from support.training_studies import TUNE, training_study

from accounts.permissions import Role
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.make_report import make_report
from foundation.options import list_options
from jobs.execution import run_job
from jobs.models import Job
from modelserving.models import TrainingRun, TransferRun
from modelserving.training_runs.execution import clear_up, run_training
from modelserving.transfer import TRANSFERS
from modelserving.transfer_runs import run_transfer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
QUICK = {"rate": "0.01", "batch": "8", "accumulate": "1", "epochs": "2", "longest": "256"}


@pytest.fixture
def study():
    return training_study(24)


@pytest.fixture
def client(study):
    client = Client()
    client.force_login(person(Role.RESEARCHER, study))
    return client


@pytest.fixture
def models(tmp_path, monkeypatch):
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    tiny_transformers.make("causal", tmp_path / "tiny-chat")
    tiny_transformers.make("t5", tmp_path / "tiny-t5")
    return tmp_path


def asked(**changes):
    """What the form of a training sends."""
    usual = {one.name: str(one.default) for one in list_options(TRANSFERS["lora"].Options) if one.default is not False}
    return {
        "model": "lora", "direction": "", "name": "Adapter", "seed": "3", "device": "cpu", "option-shown": "lora",
        **{f"option-{name}": value for name, value in (usual | QUICK | changes).items()},
    }  # fmt: skip


def address(name, study, **values):
    return reverse(name, kwargs={"study": study.slug, **values})


def test_an_adapter_is_trained_run_and_reported_from_the_page(client, study, models):
    page = client.get(address("training_new", study), {"model": "lora"}, headers={"HX-Request": "true"})
    shown = page.content.decode()
    assert re.search(r"<option[^>]*tiny-chat", shown), "the folders are offered"
    answer = client.post(address("training_new", study), asked(folder="tiny-chat"))
    run = TrainingRun.objects.get()
    assert answer["Location"] == address("training", study, training=run.pk)
    run_job(run.job_id, run_training)
    clear_up(run.job_id)
    run.job.refresh_from_db()
    assert run.job.state == Job.State.DONE, run.job.error
    told = client.get(address("training", study, training=run.pk)).content.decode()
    assert "Adapter" in told
    assert "tiny-chat: llama" in run.job.log
    best = run.checkpoints.get(kind="best")
    assert set(best.manifest["files"]) == {"adapter_model.safetensors", "adapter_config.json", "model.json"}
    sent = {"model": f"checkpoint-{best.pk}", "name": "Adapted", "split": "test",
            "decoding-shown": f"checkpoint-{best.pk}", "decoding-beam": "1", "decoding-longest": "8"}  # fmt: skip
    for option in list_options(TRANSFERS["lora"].Decoding):
        if option.default is not False:
            sent.setdefault(f"decoding-{option.name}", str(option.default))
    assert client.post(address("transfer_new", study), sent).status_code == 302
    transfer = TransferRun.objects.get()
    run_job(transfer.job_id, run_transfer)
    transfer.job.refresh_from_db()
    assert transfer.job.state == Job.State.DONE, transfer.job.error
    assert transfer.system.outputs.count() == TUNE
    choose_metrics(study=study, metrics={"bleu": {}})
    make_report(study=study)
    report = client.get(f"/studies/{study.slug}/report/").content.decode()
    assert "Adapted" in report


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"folder": "none"}, "There is no pretrained model &#x27;none&#x27; below RESTYLE_MODELS; put it there."),
        ({"folder": "../../etc"}, "leads out of RESTYLE_MODELS"),
        ({"folder": "tiny-t5"}, "architecture is &#x27;t5&#x27;"),
        ({"folder": "tiny-chat", "prompt": "Rewrite it."}, "The prompt needs {text} exactly once"),
        ({"folder": "tiny-chat", "r": "100000"}, "from 1 to 512"),
    ],
)
def test_what_cannot_be_trained_is_said_on_the_form_and_not_queued(client, study, models, changes, said):
    answer = client.post(address("training_new", study), asked(**changes))
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not TrainingRun.objects.exists()


def test_without_an_instruct_model_the_form_says_why(client, study, tmp_path, monkeypatch):
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    page = client.get(address("training_new", study)).content.decode()
    assert "LoRA needs an instruct model below RESTYLE_MODELS" in page
