"""A pretrained model trained by a real worker, killed in the middle, ends bit for bit as one that was left alone."""

import os
import shutil
import signal

import pytest
from support import tiny_transformers
from support.held_trainings import held, row, wait_for, wait_until_held, weights
from support.training_studies import pairs, training_study

from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.models import TrainingRun
from modelserving.training_runs.execution import folder_of

TEXTS = tuple(text for pair in pairs(24) for text in pair)
OPTIONS = {
    "folder": "ours", "batch": 4, "accumulate": 2, "epochs": 6, "rate": 0.003, "keep_every": 3, "read": 64, "write": 12,
    "tune_by": "bleu",
}  # fmt: skip


@pytest.fixture
def study(celery_workers, models_folder):
    tiny_transformers.make("t5", models_folder / "ours", TEXTS)
    return training_study(24)


def start(study) -> TrainingRun:
    return start_training(study=study, model="t5", options=OPTIONS, device="cpu", by=None)


def curves(run) -> list[tuple[str, list]]:
    return [(curve.name, curve.values) for curve in run.curves.exclude(name="tokens a second").order_by("name")]


def test_it_is_killed_and_goes_on_elsewhere_without_its_base_folder(study, celery_workers, watchdog, models_folder):
    undisturbed = wait_for(start(study), Job.State.DONE)
    with held():
        run = start(study)
        wait_until_held()
        for pid in celery_workers.pids("gpu"):
            os.kill(pid, signal.SIGKILL)
        celery_workers.kill("gpu")
        shutil.rmtree(folder_of(run))
        shutil.rmtree(models_folder / "ours")
    celery_workers.ensure_up()
    run = wait_for(run, Job.State.DONE)
    assert row(run).attempts == 2
    assert weights(run) == weights(undisturbed)
    assert curves(run) == curves(undisturbed)
