"""Training runs that start from a checkpoint of their study: it stays with the run, whatever becomes of it."""

import math
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from support import tiny_transformers
from support.checkpoints import packed
from support.training_studies import TUNE, training_study

from foundation.errors import UserError
from jobs.actions.retry_job import retry_job
from jobs.execution import run_job
from modelserving.actions.start_training import start_training
from modelserving.artifacts import local_copy
from modelserving.models import TrainingRun
from modelserving.training import weights as tensors
from modelserving.training.callbacks import Stopped
from modelserving.training_runs.execution import folder_of, run_training
from modelserving.training_runs.run_callbacks import RunCallbacks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SMALL = {"hidden": 8, "embedding": 8, "epochs": 3, "batch": 4, "dropout": 0.2, "tune_every": 100}


@pytest.fixture
def study(settings):
    settings.CHECKPOINT_UPLOAD_SECONDS = 0
    return training_study(16 + 2 * TUNE)


def trained(study, callbacks_type=RunCallbacks, model="seq2seq", **given) -> TrainingRun:
    run = start_training(study=study, model=model, device="cpu", by=None, send=False, **given)
    run_job(run.job_id, lambda job, progress: run_training(job, progress, callbacks_type))
    return TrainingRun.objects.select_related("job").get(pk=run.pk)


def weights(run) -> str:
    return run.checkpoints.get(kind="best").manifest["files"]["weights.safetensors"]["sha256"]


def test_a_run_goes_on_from_its_own_copy_on_another_machine(study):
    first = trained(study, name="First", options=SMALL)
    assert first.job.state == "done"
    second = {**SMALL, "start_from": "First"}
    whole = trained(study, name="Whole", options=second, seed=2)

    class Lost(RunCallbacks):
        def at(self, done: int, total: int) -> None:
            super().at(done, total)
            if done == 5:
                raise Stopped

    stopped = trained(study, Lost, name="Stopped", options=second, seed=2)
    assert stopped.job.state == "cancelled"
    first.checkpoints.all().delete()
    shutil.rmtree(folder_of(stopped))
    retry_job(job=stopped.job)
    run_job(stopped.job_id, run_training)
    stopped.refresh_from_db()
    assert weights(stopped) == weights(whole)
    afresh = trained(study, name="Afresh", options=SMALL, seed=2)
    assert weights(afresh) != weights(whole)


def test_what_is_not_there_or_of_another_model_is_refused_before_it_is_queued(study, tmp_path, monkeypatch):
    trained(study, name="First", options=SMALL)
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    with pytest.raises(UserError, match="'First' is a checkpoint of seq2seq, not of pointer_net"):
        start_training(study=study, model="pointer_net", options={"start_from": "First"}, by=None, send=False)
    with pytest.raises(UserError, match="no checkpoint 'Second'") as refused:
        start_training(study=study, model="seq2seq", options={"start_from": "Second"}, by=None, send=False)
    assert refused.value.where == "start_from"
    with pytest.raises(UserError, match="leads out of RESTYLE_MODELS"):
        start_training(study=study, model="seq2seq", options={"start_from": "../x"}, by=None, send=False)
    assert study.trainings.count() == 1


def test_a_dictionary_takes_the_locator_of_a_declare_of_its_study(study, models_folder):
    trained(study, name="Network", options=SMALL)
    with pytest.raises(UserError, match="'Network' is a checkpoint of seq2seq, not of declare") as refused:
        start_training(study=study, model="dictionary", options={"locator": "Network"}, by=None, send=False)
    assert refused.value.where == "locator"
    tiny_transformers.make("bert", models_folder / "PubMedBERT")
    first = trained(study, model="declare", name="First", options={"epochs": 1, "batch": 4})
    shutil.rmtree(models_folder / "PubMedBERT")
    found = trained(study, model="dictionary", name="Located", options={"locator": "First"})
    assert found.job.state == "done", found.job.error
    parts = [local_copy(run.checkpoints.get(kind="best")) / "weights.safetensors" for run in (first, found)]
    whole, located = (tensors.read(path) for path in parts)
    assert located.keys() == {name for name in whole if name.startswith("locator.")}
    assert all(torch.equal(located[name], whole[name]) for name in located)


def test_another_studys_checkpoint_is_not_known(study):
    trained(study, name="First", options=SMALL)
    other = training_study(16 + 2 * TUNE)
    with pytest.raises(UserError, match="The study has no checkpoint 'First'"):
        start_training(study=other, model="seq2seq", options={"start_from": "First"}, by=None, send=False)


def test_a_file_below_restyle_models_is_copied_when_the_data_are_frozen(study, tmp_path, monkeypatch):
    """One that does not fit ends the job with a sentence."""
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    Path(packed(tmp_path))
    run = trained(study, name="Wrong", options={**SMALL, "start_from": "dictionary.zip"})
    assert run.job.state == "failed"
    assert "start_from" in run.job.error
    assert (folder_of(run) / "data" / "start.zip").read_bytes() == (tmp_path / "dictionary.zip").read_bytes()


def test_a_training_that_diverged_leaves_its_last_state_to_start_from(study, monkeypatch):
    from modelserving.nets.recurrent import AttentionNetwork

    whole, seen = AttentionNetwork.losses, []

    def bad_at_the_sixth(self, batch):
        seen.append(self.training)
        found = whole(self, batch)
        return [replace(one, total=one.total * math.inf) for one in found] if seen.count(True) == 6 else found

    monkeypatch.setattr(AttentionNetwork, "losses", bad_at_the_sixth)
    bad = trained(study, name="Bad", options=SMALL)
    assert bad.job.state == "failed"
    assert "not a finite number at batch 6" in bad.job.error
    last = bad.checkpoints.get(kind="last")
    assert last.manifest["trained"]["steps"] <= 5
    monkeypatch.setattr(AttentionNetwork, "losses", whole)
    better = trained(study, name="Better", options={**SMALL, "rate": 0.0001, "start_from": last.name})
    assert better.job.state == "done"
    assert (folder_of(better) / "start" / "position.json").exists()
    assert '"step": 5' in (folder_of(better) / "start" / "position.json").read_text()
