"""The best score of a training is its tune score, by the end that is declared better; a loss is never taken for it."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from support import campaigns as make
from support.checkpoints import training

from accounts.permissions import Role
from jobs.execution import Progress
from jobs.models import Job
from modelserving.models import TrainingRun
from modelserving.training_runs.run_callbacks import RunCallbacks

pytestmark = pytest.mark.django_db


@pytest.fixture
def run():
    made = training(make.study(items=2))
    Job.objects.filter(pk=made.job_id).update(state="running", holder=uuid4())
    return TrainingRun.objects.select_related("job", "study").get(pk=made.pk)


@pytest.fixture
def lead(run):
    client = Client()
    client.force_login(make.person(Role.RESEARCHER, run.study))
    return client


def watched(run, folder):
    callbacks = RunCallbacks(run, Progress(run.job), folder, "cpu")
    callbacks._quiet = lambda: float("inf")  # nothing goes to storage here
    callbacks._uploaded = float("inf")
    return callbacks


def adversarial(callbacks):
    """What a model with a style classifier tells: its losses are newer than its last tune score."""
    callbacks.point("loss", 20, 3.1)
    callbacks.point("style loss", 20, 0.7)
    callbacks.score("perplexity", 20, 31.5, higher_is_better=False)
    callbacks.keep("best", lambda folder: None)
    callbacks.score("perplexity", 40, 48.0, higher_is_better=False)
    callbacks.point("loss", 60, 2.9)
    callbacks.point("style loss", 60, 0.69)
    callbacks.point("negative style entropy", 60, -0.68)


def test_the_losses_of_an_adversarial_model_are_no_tune_score(run, lead, tmp_path):
    callbacks = watched(run, tmp_path)
    adversarial(callbacks)
    callbacks.keep("best", lambda folder: None)  # as at the end of a training, when the best is loaded again
    callbacks.write()
    run.refresh_from_db()
    assert run.best == {"curve": "perplexity", "step": 20, "value": 31.5, "better": "lower"}
    address = {"study": run.study.slug, "training": run.pk}
    page = lead.get(reverse("training", kwargs=address)).content.decode()
    assert "Perplexity 31.50" in page
    assert "at step 20 · lower is better" in " ".join(page.split())
    assert "Perplexity on the tune set, lower is better" in page
    told = lead.get(f"/api/studies/{run.study.slug}/trainings/{run.pk}/").json()
    assert {one["name"]: one["better"] for one in told["curves"]} == {
        "loss": "", "style loss": "", "perplexity": "lower", "negative style entropy": ""
    }  # fmt: skip
    chart = lead.get(reverse("training_curves", kwargs=address)).json()
    labels = {one["curve"] for one in chart["data"]["values"]}
    assert labels == {
        "Loss (nats per token)", "Style loss", "Negative style entropy", "Perplexity on the tune set, lower is better"
    }  # fmt: skip
    listed = lead.get(reverse("study_models", args=[run.study.slug])).content.decode()
    assert "Perplexity 31.50" in listed
    assert "lower is better" in listed


def test_a_training_that_goes_on_knows_its_tune_score(run, tmp_path):
    callbacks = watched(run, tmp_path)
    adversarial(callbacks)
    callbacks.write()
    again = watched(TrainingRun.objects.select_related("job", "study").get(pk=run.pk), tmp_path)
    again.point("style loss", 80, 0.5)
    again.keep("best", lambda folder: None)
    assert again.run.best["value"] == 31.5


def test_without_a_tune_set_there_is_no_best_score(run, tmp_path):
    callbacks = watched(run, tmp_path)
    callbacks.point("loss", 20, 3.1)
    callbacks.point("style loss", 20, 0.69)
    callbacks.keep("best", lambda folder: None)
    assert callbacks.run.best is None


def test_curves_that_are_no_tune_score_stay_drawable(run, tmp_path):
    callbacks = watched(run, tmp_path)
    for step in range(1, 2500):
        callbacks.point("style loss", step, 0.7)
    callbacks.write()
    assert len(run.curves.get(name="style loss").steps) <= 2000
