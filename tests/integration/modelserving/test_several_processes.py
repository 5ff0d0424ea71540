"""A machine with several GPUs: the job starts a process for each. Here they are two on the CPU."""

import os
import threading
from itertools import chain

import pytest
import torch
from django.db import connection
from safetensors.torch import load_file
from support import tiny_transformers
from support.held_trainings import held, wait_until_held, weights
from support.processes import wait_until
from support.training_studies import pairs, training_study

from foundation import preemption
from jobs.actions.cancel_job import cancel_job
from jobs.execution import run_job
from jobs.models import Job
from modelserving import artifacts
from modelserving.actions.start_training import start_training
from modelserving.models import TrainingRun
from modelserving.training_runs import distributed, execution
from modelserving.training_runs.execution import clear_up, run_training

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SMALL = {"hidden": 8, "embedding": 8, "batch": 4, "epochs": 2, "dropout": 0.0}


@pytest.fixture(autouse=True)
def two(monkeypatch, environment, settings, tmp_path):
    """What the processes that are started know of: this database, and the folder of this machine."""
    monkeypatch.setattr(execution, "devices_for", lambda kind, asked: ["cpu", "cpu"])
    for name in ("DATABASE_URL", "PYTHONPATH"):
        monkeypatch.setenv(name, environment[name])


# All that trainings of a network can be told: what two do together is what one does.
EVERYTHING = SMALL | {
    "optimizer": "adamw", "decay": 0.1, "schedule": "linear", "warmup": 4, "smoothing": 0.1, "accumulate": 2,
    "batch_tokens": 24, "average": 3, "tune_every": 3, "adam_beta2": 0.98,
}  # fmt: skip


def train(study, model="seq2seq", small=SMALL, **options) -> TrainingRun:
    run = start_training(study=study, model=model, options={**small, **options}, by=None)
    run_job(run.job_id, run_training)
    clear_up(run.job_id)
    return TrainingRun.objects.select_related("job").get(pk=run.pk)


def test_two_train_together(monkeypatch):
    study = training_study(24)
    both = train(study, small=EVERYTHING)
    assert both.job.state == Job.State.DONE, both.job.log
    assert both.device_used == "2 × cpu"
    assert both.checkpoints.count() == 2
    monkeypatch.setattr(execution, "devices_for", lambda kind, asked: ["cpu"])
    one = train(study, small=EVERYTHING)
    for name in ("loss", "bleu"):
        assert both.curves.get(name=name).values == pytest.approx(one.curves.get(name=name).values, rel=1e-4)


PRETRAINED = {
    "folder": "ours", "batch": 5, "accumulate": 2, "epochs": 3, "rate": 0.001, "decay": 0.01, "smoothing": 0.1,
    "read": 64, "write": 24,
}  # fmt: skip


@pytest.mark.soak
@pytest.mark.parametrize(("model", "kind", "dropout"), [("t5", "t5", "dropout_rate"), ("bart_base", "bart", "dropout")])
def test_two_train_a_pretrained_model_to_the_weights_of_one(monkeypatch, models_folder, model, kind, dropout):
    """Batches are shared out; of 16 pairs by 5 one batch has a single pair, which counts once though both compute it.

    Dropout is each process's own, so there is none here; what differs is the order of sums of float32.
    """
    study = training_study(24)
    tiny_transformers.make(kind, models_folder / "ours", tuple(chain(*pairs(24))), **{dropout: 0.0})
    before = load_file(models_folder / "ours" / "model.safetensors")
    both = train(study, model, PRETRAINED)
    assert both.job.state == Job.State.DONE, both.job.log
    assert both.device_used == "2 × cpu"
    monkeypatch.setattr(execution, "devices_for", lambda kind, asked: ["cpu"])
    one = train(study, model, PRETRAINED)
    for name in ("loss", "validation_loss", "learning rate"):
        assert both.curves.get(name=name).steps == one.curves.get(name=name).steps
        assert both.curves.get(name=name).values == pytest.approx(one.curves.get(name=name).values, rel=1e-5)
    first, second = weights_of(one), weights_of(both)
    assert first.keys() == second.keys()
    moved = max(float((first[name] - before[name]).abs().max()) for name in before if name in first)
    apart = max(float((first[name] - second[name]).abs().max()) for name in first)
    assert apart < 1e-5 < 1e-3 < moved


def weights_of(run) -> dict[str, torch.Tensor]:
    with artifacts.scratch() as folder:
        artifacts.fetch_checkpoint(run.checkpoints.get(kind="last"), folder / "last")
        return load_file(folder / "last" / "weights.safetensors")


@pytest.mark.soak
def test_a_fault_in_one_of_them_is_said():
    study = training_study(24)
    run = start_training(study=study, model="seq2seq", options=SMALL, by=None)
    run.options["longest"] = 1  # a training with nothing left is not queued: the texts were longer when it was
    run.save()
    run_job(run.job_id, run_training)
    job = Job.objects.get(pk=run.job_id)
    assert job.state == Job.State.FAILED
    assert job.error
    assert "Traceback" not in job.error


SECOND_HAS_NO_MEMORY = """
import os
if os.environ.get("RANK") == "1":
    import torch
    from modelserving.{module} import {name}
    def no_memory(*given, **more):
        raise {error}
    {name}.{method} = no_memory
"""


@pytest.mark.soak
@pytest.mark.parametrize(("module", "name", "method", "error", "sentence"), [
    ("training.gradients", "Gradients", "_losses", "torch.OutOfMemoryError", "train: A single text of "),
    ("training.trainer", "Trainer", "_say", "torch.OutOfMemoryError", "train: The memory of cpu is too small for the"),
])  # fmt: skip
def test_memory_that_fails_the_second_alone_ends_both_with_its_sentence(
    monkeypatch, environment, tmp_path, module, name, method, error, sentence
):
    """Where they can tell each other, and where the first waits for a second that has ended."""
    fault = SECOND_HAS_NO_MEMORY.format(module=module, name=name, method=method, error=error)
    (tmp_path / "sitecustomize.py").write_text(fault)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{environment['PYTHONPATH']}")
    run = start_training(study=training_study(24), model="seq2seq", options=SMALL, by=None)
    run_job(run.job_id, run_training)
    job = Job.objects.get(pk=run.job_id)
    assert job.state == Job.State.FAILED
    assert job.error.startswith(sentence), job.error


def _work(run) -> None:
    run_job(run.job_id, run_training)
    connection.close()  # the thread's own


@pytest.mark.soak
def test_both_are_stopped():
    study = training_study(24)
    run = start_training(study=study, model="seq2seq", options={**SMALL, "epochs": 10_000, "patience": 0}, by=None)

    thread = threading.Thread(target=_work, args=[run])
    thread.start()
    wait_until(lambda: run.checkpoints.filter(kind="last").exists(), "Nothing was kept", 240)
    cancel_job(job=Job.objects.get(pk=run.job_id))
    thread.join(120)
    job = Job.objects.get(pk=run.job_id)
    assert job.state == Job.State.CANCELLED, job.log
    assert job.done > 0


@pytest.mark.soak
def test_both_are_preempted_and_go_on_to_the_same_weights(monkeypatch):
    study = training_study(24)
    undisturbed = train(study, epochs=5, patience=0)
    run = start_training(study=study, model="seq2seq", options={**SMALL, "epochs": 5, "patience": 0}, by=None)
    signalled = _signalled(monkeypatch)
    thread = threading.Thread(target=_work, args=[run])
    with preemption.listening():
        with held():
            thread.start()
            wait_until_held()
            preemption.ask()
            wait_until(lambda: len(signalled) >= 2, "The two were not told")
        thread.join(120)
    job = Job.objects.get(pk=run.job_id)
    assert (job.state, job.fruitless) == (Job.State.QUEUED, 0), job.log
    # `done` is written twice a second, so a quick training may stand at 0 of 0 here: what is kept says that it began.
    assert [checkpoint.kind for checkpoint in run.checkpoints.order_by("kind")] == ["best", "last"]
    run_job(run.job_id, run_training)
    job.refresh_from_db()
    assert (job.state, job.attempts) == (Job.State.DONE, 2), job.log
    assert weights(run) == weights(undisturbed)


def _signalled(monkeypatch) -> list[int]:
    """The processes that are signalled from here on."""
    found, kill = [], distributed.os.kill

    def signal_it(pid: int, number: int) -> None:
        kill(pid, number)
        found.append(pid)

    monkeypatch.setattr(distributed.os, "kill", signal_it)
    return found
