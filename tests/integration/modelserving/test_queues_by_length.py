"""Quick runs end while a training is at work, and one that has no room beside it waits in the queue of long work."""

from multiprocessing import Process
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from support.checkpoints import checkpoint
from support.held_trainings import held, start, wait_until_held
from support.processes import wait_until
from support.training_studies import training_study

from jobs.actions.cancel_job import cancel_job
from jobs.execution import Progress, TooLarge, run_job
from jobs.models import Job
from jobs.waiting_reasons import waiting_reasons
from modelserving.actions import start_transfer as starting
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_file_transfer, start_transfer
from modelserving.models import Checkpoint
from modelserving.room import GpuPlace, first_with_room
from modelserving.transfer_runs import run_transfer

pytestmark = pytest.mark.django_db(transaction=True)
RULES = "rule_based_formality"


def row(run) -> Job:
    return Job.objects.get(pk=run.job_id)


def test_a_quick_run_ends_before_the_training_that_is_at_work(celery_workers):
    study = training_study(24)
    with held(looks=2):
        training = start(study, epochs=3)
        wait_until_held()
        run = start_transfer(study=study, model=RULES, name="Rules", by=None)
        wait_until(lambda: row(run).state == Job.State.DONE, lambda: f"It waits: {row(run).state}, {row(run).log}")
        assert row(training).state == Job.State.RUNNING
        cancel_job(job=training.job)


def test_work_goes_where_its_length_says(monkeypatch, tmp_path):
    study, more = training_study(24), {"by": None}
    monkeypatch.setattr(starting, "SHORT_RUN", 23)
    trained = checkpoint(study, tmp_path)
    lines = {"study": study, "direction": study.directions.get()}
    runs = [
        start_training(study=study, model="pbmt", **more),
        start_transfer(study=study, model=RULES, name="Rules", **more),  # quick with any number
        start_transfer(study=study, checkpoint=trained, name="All", **more),
        start_transfer(study=study, checkpoint=trained, name="Few", split="tune", **more),
        start_file_transfer(file=SimpleUploadedFile("a.txt", b"a\n" * 24), checkpoint=trained, **lines, **more),
        start_file_transfer(file=SimpleUploadedFile("a.txt", b"a\n" * 23), checkpoint=trained, **lines, **more),
    ]
    assert [run.job.queue for run in runs] == ["gpu", "quick", "gpu", "quick", "gpu", "quick"]


def test_a_run_without_room_waits_in_the_queue_of_long_work_and_is_done_there(tmp_path):
    """There it is the only one, so nobody asks how much is free."""
    study = training_study()
    trained = checkpoint(study, tmp_path)
    Checkpoint.objects.update(size=2**59)
    run = start_transfer(study=study, checkpoint=trained, name="Large", by=None)
    run_job(run.job_id, run_transfer)
    job = row(run)
    assert (job.state, job.queue, job.holder, job.attempts, job.fruitless) == ("queued", "gpu", None, 0, 0)
    assert "It needs about 1,152,921,504.6 GB of memory" in job.log
    run_job(run.job_id, run_transfer)
    assert (row(run).state, run.system.outputs.count()) == ("done", 24)


def test_a_place_is_one_processs_and_free_when_that_is_dead(settings, tmp_path):
    settings.WORK_FOLDER = tmp_path / "work"
    first, second = GpuPlace(), GpuPlace()
    first.take(pytest.fail)
    looks = []
    with pytest.raises(TooLarge, match="A training begins on the GPU"):
        second.take(lambda: looks.append(1), patience=0)
    assert looks
    job = Job.objects.create(task="t", queue="gpu", title="W", state="running", queued_at=timezone.now())
    job.holder = uuid4()
    job.save()
    with pytest.raises(TooLarge):
        second.wait(job, Progress(job), "It waits for a run.", patience=0)
    assert waiting_reasons([Job.objects.get()]) == ["It waits for a run."]
    first.leave()
    second.wait(job, Progress(job), "It waits for a run.")
    assert Job.objects.get().awaited == ""
    second.leave()
    dead = Process(target=second.take, args=(pytest.fail,))
    dead.start()
    dead.join()
    first.take(pytest.fail)
    first.leave()


def test_a_typed_sentence_goes_to_the_processor_where_no_gpu_has_room():
    free = {"cuda:0": 1_000, "cuda:1": 3_000}.get
    assert [first_with_room(["cuda:0", "cuda:1"], needed, free) for needed in (0, 1_000, 1_001, 3_001)] == [
        "cuda:0", "cuda:0", "cuda:1", "cpu",
    ]  # fmt: skip
    assert first_with_room(["cpu"], 2**60) == "cpu"
