"""BERT-MT through the API, by real workers: refused, trained, and run to a system with an output for each source."""

import pytest
from support import tiny_transformers
from support.campaigns import person
from support.clients import with_token
from support.held_trainings import wait_for
from support.processes import wait_until
from support.training_studies import TUNE, pairs, training_study

from accounts.permissions import Role
from corpora.models import Sentence
from foundation.options import validate_options
from jobs.models import Job
from modelserving.artifacts import local_copy
from modelserving.models import TrainingRun, TransferRun
from modelserving.transfer import TRANSFERS

TEXTS = tuple(text for pair in pairs(24) for text in pair)
OPTIONS = {"folder": "ours", "batch": 8, "epochs": 60, "rate": 0.01, "schedule": "constant", "warmup": 0}


@pytest.fixture
def study(celery_workers):
    return training_study(24)


@pytest.mark.soak
def test_it_is_refused_trained_and_run(study, models_folder):
    client, base = with_token(person(Role.RESEARCHER, study)), f"/api/studies/{study.slug}/"

    def train(**options):
        body = {"model": "bert_mt", "device": "cpu", "options": {**OPTIONS, **options}}
        return client.post(f"{base}trainings/", body, content_type="application/json")

    tiny_transformers.make("t5", models_folder / "other", TEXTS)
    tiny_transformers.make("bert", models_folder / "ours", TEXTS)
    answer = train(folder="other")
    assert answer.status_code == 400
    assert "The model's architecture is 't5'; this takes bert or distilbert" in answer.json()["detail"]
    assert not TrainingRun.objects.exists()
    answer = train()
    assert answer.status_code == 201, answer.json()
    run = wait_for(TrainingRun.objects.get(), Job.State.DONE)
    best = run.checkpoints.get(kind="best")

    body = {"checkpoint": best.pk, "name": "BERT-MT", "split": "test", "settings": {"beam": 3}}
    answer = client.post(f"{base}transfers/", body, content_type="application/json")
    assert answer.status_code == 201, answer.json()
    transfer = TransferRun.objects.get()
    wait_until(lambda: Job.objects.get(pk=transfer.job_id).state == Job.State.DONE, "The run did not end")
    sources = Sentence.objects.filter(direction__study=study, split="test").order_by("number")
    kind = TRANSFERS["bert_mt"]
    model = kind.load(local_copy(best))
    texts = list(sources.values_list("text", flat=True))
    expected = model.transfer(texts, ("informal", "formal"), validate_options(kind.Decoding, {"beam": 3}))
    written = dict(transfer.system.outputs.values_list("sentence__text", "text"))
    assert len(texts) == TUNE
    assert written == {text: output for text, output in zip(texts, expected, strict=True) if output}
    assert written
