"""What a training costs is told before it starts: texts, time, memory and the queue."""

import pytest
from django.urls import reverse
from support import tiny_transformers
from support.campaigns import person
from support.checkpoints import training
from support.clients import as_person
from support.training_studies import training_study

from accounts.permissions import Role
from foundation.base_folder import base_folder
from jobs import workers
from jobs.models import Job
from jobs.workers import quick_client

pytestmark = pytest.mark.django_db
SIZE = 24  # sources, of which 16 are in the train split


@pytest.fixture
def study():
    return training_study(SIZE)


def told(study, model="seq2seq", **options):
    """The rows by their labels, each with its value and what it is from."""
    given = {"model": model, "option-shown": model, **{f"option-{name}": value for name, value in options.items()}}
    address, asked = reverse("training_new", args=[study.slug]), {"HX-Request": "true", "HX-Target": "lengths"}
    client = as_person(person(Role.RESEARCHER, study))
    filled = client.get(address, {"model": model}).context["options"]
    usual = {one.html_name: one.value() for one in filled if one.value() is not False and one.value() is not None}
    answer = client.get(address, {**usual, **given}, headers=asked)
    return {row.label: (row.value, row.how) for row in answer.context.get("costs", [])}


def ended(study, name, *, seconds, pairs, done, total, **options):
    """A training that took so many seconds."""
    run = training(study)
    run.name, run.model, run.options, run.device_used = name, "seq2seq", options, "CPU"
    run.seconds, run.counts = seconds, {"pairs": pairs, "tune": 4}
    run.save()
    Job.objects.filter(pk=run.job_id).update(state=Job.State.DONE, done=done, total=total)
    return run


def test_it_reads_each_pair_once_an_epoch_in_batches(study):
    assert told(study, batch=5, epochs=3)["Reads"][0] == "16 pairs, at most 3 times: 12 updates at most"
    assert told(study, batch=5, epochs=3, accumulate=2)["Reads"][0].endswith("6 updates at most")
    assert told(study, batch=5, epochs=3, copied_targets=1)["Reads"][0].endswith("21 updates at most"), "32 an epoch"
    assert told(study, "retrieve_only")["Reads"][0] == "32 texts"


def test_the_time_is_that_of_the_training_that_is_most_alike_text_by_text(study):
    assert told(study)["Time"] == ("not known", "No training of this model has ended on this site yet.")
    elsewhere = training_study(SIZE)
    ended(elsewhere, "Elsewhere", seconds=9_000, pairs=10, done=10, total=10, hidden=64, epochs=10)  # 100 texts
    said, how = told(study, epochs=3)["Time"]
    assert (said, "another study" in how, "Elsewhere" in how) == ("at most 72 minutes", True, False)
    ended(study, "Small", seconds=60, pairs=8, done=5, total=10, hidden=32, epochs=10)  # 40 texts: half of 10 passes
    said, how = told(study, hidden=32, epochs=3)["Time"]
    assert said == "at most 72 seconds"  # 16 pairs, 3 times, 1.5 seconds each
    assert how == "At the pace of “Small”: 40 texts in 60 seconds on CPU."
    assert told(study, hidden=32, epochs=3, copied_targets=1)["Time"][0] == "at most 2 minutes", "144 seconds: twice"
    assert told(study, hidden=48, epochs=3)["Time"][1].endswith("It had other options (hidden 32), so this is rough.")


def test_the_memory_is_that_of_weights_gradients_and_moments(study, models_folder):
    tiny_transformers.make("t5", models_folder / "tiny-t5")
    numbers = base_folder("tiny-t5", ("t5",)).numbers
    said, _how = told(study, "t5", folder="tiny-t5")["Memory"]
    assert said.replace("\xa0", " ") == f"{16 * numbers / 1024:.1f} KB at least"
    assert "Memory" not in told(study), "of a network nothing is known before"


def test_it_says_how_many_jobs_are_before_it_and_whether_there_is_a_worker(study):
    with quick_client() as client:  # a test before may have had a worker
        client.delete(workers.KEY)
    assert told(study)["Begins"] == ("at once", "The queue gpu has no active worker: the job waits for one.")
    Job.objects.filter(pk=training(study).job_id).update(state=Job.State.RUNNING, queue="gpu")
    assert told(study)["Begins"][0] == "after 1 job"


def test_nothing_is_told_of_a_training_that_cannot_start(study):
    assert told(study, epochs=0) == {}
    study.directions.get().reference_sets.all().delete()
    assert told(study) == {}
