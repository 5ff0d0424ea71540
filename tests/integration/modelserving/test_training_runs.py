"""Trainings as jobs: what they leave, and that however often they are lost the end is the same."""

import shutil
from datetime import timedelta
from itertools import product

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone
from support.training_studies import TUNE, training_study
from support.word_model import Words, register

from corpora.actions.purge_removals import purge_removals
from corpora.actions.undo_removal import undo_removal
from corpora.models import Removal
from foundation.errors import UserError
from jobs.actions.cancel_job import cancel_job
from jobs.actions.retry_job import retry_job
from jobs.execution import run_job
from jobs.models import Job
from modelserving.actions.remove_checkpoint import remove_checkpoint
from modelserving.actions.remove_training import remove_training
from modelserving.actions.start_training import start_training
from modelserving.models import Checkpoint, TrainingRun
from modelserving.training_runs import execution, run_callbacks
from modelserving.training_runs.execution import clear_up, folder_of, run_training

pytestmark = pytest.mark.django_db(transaction=True)
PAIRS, ROUNDS = 16, 3
STEPS = PAIRS * ROUNDS


class Killed(BaseException):
    """The process is gone: nothing of it says so."""


@pytest.fixture(autouse=True)
def words(monkeypatch, settings):
    register(monkeypatch)
    settings.CHECKPOINT_UPLOAD_SECONDS = 0


@pytest.fixture
def study():
    return training_study(PAIRS + 2 * TUNE)


def start(study, **given) -> TrainingRun:
    return start_training(study=study, model="words", options={"rounds": ROUNDS}, by=None, **given)


def work(run) -> TrainingRun:
    """As the task does it."""
    run_job(run.job_id, run_training)
    clear_up(run.job_id)
    return TrainingRun.objects.select_related("job").get(pk=run.pk)


def die_at(step, monkeypatch):
    def watched(at):
        if at == step:
            raise Killed

    monkeypatch.setattr(Words, "watched", staticmethod(watched))


def killed(run, step, monkeypatch):
    """The training's process is killed at a step; long ago, as far as its heart tells."""
    die_at(step, monkeypatch)
    with pytest.raises(Killed):
        run_job(run.job_id, run_training)
    monkeypatch.setattr(Words, "watched", staticmethod(lambda at: None))
    assert Job.objects.get(pk=run.job_id).state == Job.State.RUNNING
    Job.objects.filter(pk=run.job_id).update(heartbeat_at=timezone.now() - timedelta(days=1))


def files(run, kind="best") -> dict:
    return {name: one["sha256"] for name, one in run.checkpoints.get(kind=kind).manifest["files"].items()}


def curves(run) -> dict:
    return {curve.name: (curve.steps, curve.values) for curve in run.curves.all()}


def test_a_training_leaves_checkpoints_curves_and_samples(study):
    run = work(start(study))
    assert (run.job.state, run.job.done, run.job.error) == (Job.State.DONE, STEPS - 1, "")
    assert run.counts == {"pairs": PAIRS, "tune": TUNE, "informal": PAIRS, "formal": PAIRS}
    assert set(run.checkpoints.values_list("kind", flat=True)) == {"best", "last"}
    assert curves(run)["loss"] == (list(range(1, STEPS + 1)), [1 / step for step in range(1, STEPS + 1)])
    assert curves(run)["agreement"][0] == [PAIRS, 2 * PAIRS, 3 * PAIRS]
    assert [sample["step"] for sample in run.samples] == [PAIRS, 2 * PAIRS, 3 * PAIRS]
    assert set(run.samples[0]["rows"][0]) == {"source", "output", "reference"}
    assert run.best == {"curve": "agreement", "step": STEPS, "value": STEPS / 100, "better": "higher"}
    assert {curve.name: curve.better for curve in run.curves.all()} == {"agreement": "higher", "loss": ""}
    assert "Looked at step 16." in run.job.log
    assert not folder_of(run).joinpath("last").exists()  # this machine's copy is gone
    best = run.checkpoints.get(kind="best")
    trained = best.manifest["trained"]
    assert (best.name, best.model, best.directions) == (run.name, "words", [("informal", "formal")])
    assert (trained["seed"], trained["data"], trained["score"]) == (1, run.data_digest, run.best)
    assert trained["device"] == run.device_used == "cpu"
    assert best.manifest["versions"]["python"]
    assert default_storage.size(best.file.name) == best.size


def test_a_lost_worker_changes_nothing_of_the_end(study, monkeypatch):
    """On the same machine it goes on from this machine's folder; on another, from storage."""
    undisturbed = work(start(study))
    for step, elsewhere in product([0, 3, PAIRS, 33, STEPS - 1], [False, True]):
        run = start(study)
        killed(run, step, monkeypatch)
        if elsewhere:
            shutil.rmtree(folder_of(run))
        run = work(run)
        case = f"killed at step {step}, and gone on with {'elsewhere' if elsewhere else 'here'}"
        assert (run.job.state, run.job.attempts) == (Job.State.DONE, 2), case
        assert files(run) == files(undisturbed), case
        assert curves(run) == curves(undisturbed), case
        assert run.samples == undisturbed.samples, case
        assert run.best == undisturbed.best, case


def test_it_is_lost_again_and_again_on_machines_that_come_and_go(study, monkeypatch, tmp_path):
    undisturbed, run = work(start(study)), start(study)
    here = folder_of(run)
    for number, step in enumerate([11, 22, 33, 41]):
        killed(run, step, monkeypatch)
        here.rename(tmp_path / str(number % 2 + 10 * number))
        if number == 2:
            (tmp_path / "0").rename(here)  # the first machine is back, with what it knew then
    assert files(work(run)) == files(undisturbed)


def test_a_run_goes_on_with_what_the_study_was_when_it_began(study, monkeypatch):
    undisturbed, run = work(start(study)), start(study)
    killed(run, 20, monkeypatch)
    study.directions.get().sentences.update(text="something else")
    shutil.rmtree(folder_of(run))
    run = work(run)
    assert run.data_digest == undisturbed.data_digest
    assert files(run) == files(undisturbed)
    assert work(start(study)).data_digest != run.data_digest


def test_a_run_that_is_cancelled_is_resumed_from_where_it_was(study, monkeypatch):
    undisturbed, run = work(start(study)), start(study)

    def watched(at):
        if at == 23:
            cancel_job(job=Job.objects.get(pk=run.job_id))

    monkeypatch.setattr("jobs.execution.WRITE_EVERY_SECONDS", 0)
    monkeypatch.setattr(Words, "watched", staticmethod(watched))
    run = work(run)
    assert (run.job.state, run.job.done) == (Job.State.CANCELLED, 23)
    assert set(run.checkpoints.values_list("kind", flat=True)) == {"best", "last"}
    monkeypatch.setattr(Words, "watched", staticmethod(lambda at: None))
    shutil.rmtree(folder_of(run))
    retry_job(job=run.job)
    run = work(run)
    assert run.job.state == Job.State.DONE
    assert files(run) == files(undisturbed)
    assert files(run, "last") == files(undisturbed, "last")


def test_a_worker_that_lost_its_run_writes_nothing_more(study, monkeypatch):
    run = start(study)

    def watched(at):
        if at == 23:
            Job.objects.filter(pk=run.job_id).update(holder="00000000-0000-4000-8000-000000000000")

    monkeypatch.setattr(Words, "watched", staticmethod(watched))
    run_job(run.job_id, run_training)
    before = list(Checkpoint.objects.filter(run=run).values_list("sha256", flat=True))
    assert len(before) == 2
    run.refresh_from_db()
    assert run.best["step"] == PAIRS
    assert Job.objects.get(pk=run.job_id).state == Job.State.RUNNING


def test_data_that_are_gone_or_others_are_said(study, monkeypatch):
    run = start(study)
    killed(run, 20, monkeypatch)
    shutil.rmtree(folder_of(run))
    run.refresh_from_db()
    default_storage.delete(run.data.name)
    run = work(run)
    assert run.job.state == Job.State.FAILED
    assert "is no longer in storage." in run.job.error


def test_a_fault_of_the_model_leaves_what_was_kept(study, monkeypatch):
    def watched(at):
        if at == 20:
            raise UserError("A pair is too long.", where="pair 7")

    monkeypatch.setattr(Words, "watched", staticmethod(watched))
    run = work(start(study))
    assert (run.job.state, run.job.error) == (Job.State.FAILED, "pair 7: A pair is too long.")
    assert run.checkpoints.count() == 2
    monkeypatch.setattr(Words, "watched", staticmethod(lambda at: None))
    retry_job(job=run.job)
    assert work(run).job.state == Job.State.DONE


def test_old_files_of_a_run_do_not_stay_in_storage(study):
    run = work(start(study))
    for kind in ("best", "last"):
        assert len(default_storage.listdir(f"checkpoints/{run.key}/{kind}")[1]) == 1


def test_seeds_and_orders(study):
    assert files(work(start(study, seed=2))) != files(work(start(study, seed=1)))


def test_removing_a_training(study):
    run = start(study)
    with pytest.raises(UserError, match="is still running; cancel it first"):
        remove_training(run=run)
    run = work(run)
    names = [checkpoint.file.name for checkpoint in run.checkpoints.all()] + [run.data.name]
    assert all(map(default_storage.exists, names))
    removal = remove_training(run=run)
    assert not TrainingRun.objects.exists()
    assert not Job.objects.filter(pk=run.job_id).exists()
    assert all(map(default_storage.exists, names))  # it can be put back for 30 days
    assert sorted(removal.files) == sorted(names)
    Removal.objects.update(removed_at=timezone.now() - timedelta(days=31))
    purge_removals()
    assert not any(map(default_storage.exists, names))


def test_a_training_that_was_removed_comes_back_whole(study):
    run = work(start(study))
    before = files(run)
    undo_removal(removal=remove_training(run=run))
    assert files(TrainingRun.objects.get(pk=run.pk)) == before


def test_removing_a_checkpoint_has_the_training_begin_again(study, monkeypatch):
    undisturbed, run = work(start(study)), start(study)
    killed(run, 20, monkeypatch)
    with pytest.raises(UserError, match="is still running"):
        remove_checkpoint(checkpoint=run.checkpoints.get(kind="last"))
    cancel_job(job=run.job)
    Job.objects.filter(pk=run.job_id).update(state=Job.State.CANCELLED)
    name = run.checkpoints.get(kind="last").file.name
    remove_checkpoint(checkpoint=run.checkpoints.get(kind="last"))
    assert Removal.objects.get().files == [name]
    shutil.rmtree(folder_of(run))
    retry_job(job=Job.objects.get(pk=run.job_id))
    assert files(work(run)) == files(undisturbed)


def test_upload_takes_a_small_part_of_the_time(study, monkeypatch, settings):
    """Where storage is slow, states stay on the machine for a while; at the end all are in storage."""
    settings.CHECKPOINT_UPLOAD_SECONDS = 3600.0
    uploads = []
    upload = run_callbacks.RunCallbacks.upload
    monkeypatch.setattr(
        run_callbacks.RunCallbacks, "upload", lambda self: (uploads.append(self._kept), upload(self))[1]
    )
    run = work(start(study))
    assert uploads == [1, run.kept]  # the first, and the last
    assert execution.kept_in(folder_of(run)) == 0
    assert run.checkpoints.get(kind="last").manifest["trained"]["steps"] == 48
