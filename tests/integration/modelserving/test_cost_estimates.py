"""What a run will cost, about: counted with a folder's tokenizer, by answers that were counted before, or guessed."""

import math
import sys

import pytest
from django.test import Client
from support import tiny_transformers
from support.campaigns import person
from support.language_model_server import completion, served
from support.training_studies import TUNE, training_study

from accounts.permissions import Role
from foundation import side_process
from jobs.execution import run_job
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_transfer
from modelserving.models import ModelAnswer
from modelserving.ready_models import Candidate
from modelserving.training_runs.execution import clear_up, run_training
from modelserving.transfer_runs import run_transfer
from modelserving.views.transfer_runs import run_estimates

pytestmark = pytest.mark.django_db(transaction=True)
ALL = 16 + 2 * TUNE
PRICES = {"price_input": 1000.0, "price_output": 2000.0}
OPTIONS = {"endpoint": "far", "model": "tiny", "tune_most": 0, "system": "", "message": "{text}", **PRICES}
GUESSED = "Tokens are estimated from the characters"


@pytest.fixture
def server(monkeypatch):
    with served() as one:
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"far={one.url} models=tiny")
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODEL_KEYS", "")
        yield one


@pytest.fixture
def study(settings, tmp_path):
    settings.WORK_FOLDER = tmp_path / "work"
    return training_study(ALL)


def trained(study, **options):
    run = start_training(study=study, model="prompted", options={**OPTIONS, **options}, by=None)
    run_job(run.job_id, run_training)
    clear_up(run.job_id)
    assert Job.objects.get(pk=run.job_id).state == Job.State.DONE
    return run.checkpoints.get(kind="best")


def estimate(study, checkpoint):
    return run_estimates(study, Candidate(checkpoint.model, checkpoint))


def texts(study):
    return list(study.directions.get().sentences.values_list("text", flat=True))


def test_without_answers_the_characters_tell(study, server):
    found = estimate(study, trained(study))
    assert found.how.startswith(GUESSED)
    whole = found.rows[0]
    characters = sum(map(len, texts(study)))  # ASCII: a quarter of a token each
    assert (whole.calls, whole.output) == (ALL, round(characters / 4))
    assert whole.input == round(characters / 4 + ALL * 2)  # "{text}" itself, 6 characters, is guessed as 2 tokens


def test_chinese_sources_are_a_token_a_character(study, server):
    checkpoint = trained(study)
    study.directions.get().sentences.update(text="这是一个句子")
    assert estimate(study, checkpoint).rows[0].output == ALL * 6


def test_answers_that_were_counted_calibrate_it_and_uncounted_ones_do_not(study, server):
    """A server that counts three tokens a character in, seven a character out: its own bill is what is estimated."""

    def behave(request):
        prompt = request["messages"][0]["content"]
        said = prompt.upper()
        choice = {"index": 0, "message": {"content": said}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 3 * len(prompt), "completion_tokens": 7 * len(said)}
        return 200, {}, completion(request, choices=[choice], usage=usage)

    checkpoint = trained(study)
    server.behave = lambda request: (200, {}, completion(request, usage=None))
    run(study, checkpoint, "Uncounted", "tune")
    assert estimate(study, checkpoint).how.startswith(GUESSED)
    ModelAnswer.objects.all().delete()
    server.behave = behave
    run(study, checkpoint, "Counted", "tune")
    found = estimate(study, checkpoint)
    assert found.how.startswith(f"Tokens are estimated from {TUNE} stored answers of this model")
    run(study, checkpoint, "Again", "tune")
    assert f" {TUNE} stored answers " in estimate(study, checkpoint).how  # copies are not counted twice
    whole = found.rows[0]
    characters = sum(map(len, texts(study)))
    assert math.isclose(whole.output, 7 * characters, rel_tol=0.1)


def run(study, checkpoint, name, split):
    found = start_transfer(study=study, checkpoint=checkpoint, name=name, split=split, by=None)
    run_job(found.job_id, run_transfer)
    assert Job.objects.get(pk=found.job_id).state == Job.State.DONE


@pytest.mark.slow
def test_a_folders_own_tokenizer_counts_beside_the_web_process(study, tmp_path, monkeypatch):
    from transformers import PreTrainedTokenizerFast

    monkeypatch.delenv("RESTYLE_LANGUAGE_MODELS", raising=False)
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path / "models"))
    folder = tiny_transformers.make("causal", tmp_path / "models" / "tiny")
    given = {"endpoint": "", "model": "", "folder": "tiny", "message": "Say: {text}", "price_input": 0.0}
    checkpoint = trained(study, **given)
    process = side_process.SideProcess()
    monkeypatch.setattr(side_process, "_used", True)
    monkeypatch.setattr(side_process, "_shared", process)
    before = set(sys.modules)
    try:
        found = estimate(study, checkpoint)
    finally:
        process.end()
    assert not {name for name in set(sys.modules) - before if name.startswith(("transformers", "torch"))}
    assert found.how == "The model's own tokenizer counts the tokens, on a sample of the sources."
    reference = PreTrainedTokenizerFast.from_pretrained(folder)
    tokens = sum(len(reference.encode(text, add_special_tokens=False)) for text in texts(study))
    assert math.isclose(found.rows[0].output, tokens, rel_tol=0.1)
    (folder / "tokenizer.json").write_text("{}")
    assert estimate(study, checkpoint).how.startswith(GUESSED)


def test_the_page_says_which_it_is(study, server):
    checkpoint = trained(study)
    client = Client()
    client.force_login(person(Role.RESEARCHER, study))
    address = f"/studies/{study.slug}/systems/run/?model=checkpoint-{checkpoint.pk}"
    page = client.get(address).content.decode()
    assert GUESSED in page
    run(study, checkpoint, "Counted", "tune")
    assert f"Tokens are estimated from {TUNE} stored answers of this model" in client.get(address).content.decode()
