"""A pretrained model trained by a real worker, killed in the middle, ends bit for bit as one that was left alone."""

import os
import shutil
import signal

import pytest
from support import tiny_transformers
from support.held_trainings import curves, held, row, wait_for, wait_until_held, weights
from support.training_studies import pairs, training_study

from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.models import TrainingRun
from modelserving.training_runs.execution import folder_of

TEXTS = tuple(text for pair in pairs(24) for text in pair)
TUNED = {"folder": "ours", "batch": 4, "accumulate": 2, "epochs": 6, "rate": 0.003, "keep_every": 3, "tune_by": "bleu"}
SIDES = {**TUNED, "read": 64, "write": 12}
TRAININGS = {
    "t5": ("t5", SIDES),
    "bart_base": ("bart", SIDES),
    "pegasus": ("pegasus", SIDES),
    "bert_mt": ("bert", {**TUNED, "warmup": 0, "longest": 64}),
    "declare": ("bert", {**TUNED, "warmup": 4}),
    "lora": ("causal", {**TUNED, "longest": 64, "prompt": "Make it {target_style}: {text}"}),
}


@pytest.fixture
def study(celery_workers):
    return training_study(24)


def start(study, model) -> TrainingRun:
    return start_training(study=study, model=model, options=TRAININGS[model][1], device="cpu", by=None)


@pytest.mark.soak
@pytest.mark.parametrize("model", TRAININGS)
def test_it_is_killed_and_goes_on_elsewhere(model, study, celery_workers, watchdog, models_folder):
    """Without its base folder, too, where a checkpoint holds the whole model."""
    tiny_transformers.make(TRAININGS[model][0], models_folder / "ours", TEXTS)
    undisturbed = wait_for(start(study, model), Job.State.DONE)
    with held():
        run = start(study, model)
        wait_until_held()
        for pid in celery_workers.pids("gpu"):
            os.kill(pid, signal.SIGKILL)
        celery_workers.kill("gpu")
        shutil.rmtree(folder_of(run))
        if model != "lora":
            shutil.rmtree(models_folder / "ours")
    celery_workers.ensure_up()
    run = wait_for(run, Job.State.DONE)
    assert row(run).attempts == 2
    assert weights(run) == weights(undisturbed)
    assert curves(run) == curves(undisturbed)
