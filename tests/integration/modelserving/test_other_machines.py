"""A worker on another machine: only database, queue and files are shared with it."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest
from support.held_trainings import held, start, wait_for, wait_until_held, weights
from support.processes import as_loaded, wait_until
from support.s3 import s3_server
from support.training_studies import training_study

from config.environment.storage import storage_of
from foundation.errors import UserError
from foundation.project import ROOT
from jobs.models import Job
from jobs.workers import workers
from launcher import worker
from modelserving import artifacts
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_transfer

WORKER = [sys.executable, "-m", "launcher.worker"]


@pytest.fixture(params=["folder", "s3"])
def place(request, tmp_path, settings):
    """What both machines name as the place of their files."""
    if request.param == "folder":
        (tmp_path / "shared").mkdir()
        yield _set(settings, str(tmp_path / "shared"))
        return
    with s3_server():
        yield _set(settings, "s3://models/restyle")


def _set(settings, place):
    settings.STORAGES = {**settings.STORAGES, "default": storage_of(place)}
    return place


@pytest.mark.soak
@pytest.mark.slow
def test_a_machine_that_is_taken_away_gives_its_training_back(celery_workers, environment, settings, tmp_path):
    """SIGTERM to `launcher.worker`, as containers and systemd send it; a worker of yet another machine goes on."""
    (tmp_path / "shared").mkdir()
    _set(settings, str(tmp_path / "shared"))
    celery_workers.kill("gpu")
    own = {"RESTYLE_STORAGE": str(tmp_path / "shared"), "SECRET_KEY": settings.SECRET_KEY}
    with _machine({**environment, **own, "RESTYLE_DATA": str(tmp_path / "there")}) as process:
        with held():
            run = start(training_study(24))
            wait_until_held()
            process.send_signal(signal.SIGTERM)
            wait_until(lambda: not _reads(), "The worker reads on")
        said, _ = process.communicate(timeout=as_loaded(60))
    assert (process.returncode, "what is not done goes back to its queue" in said) == (0, True)
    job = Job.objects.get(pk=run.job_id)
    assert (job.state, job.fruitless) == (Job.State.QUEUED, 0), job.log
    assert run.checkpoints.count() == 2  # in the storage that both share
    undisturbed = start(run.study)
    with _machine({**environment, **own, "RESTYLE_DATA": str(tmp_path / "elsewhere")}) as process:
        wait_for(undisturbed, Job.State.DONE)
        process.terminate()
        process.communicate(timeout=as_loaded(60))
    assert weights(wait_for(run, Job.State.DONE)) == weights(undisturbed)


@contextmanager
def _machine(environment):
    """A worker of the queue gpu that reads."""
    process = subprocess.Popen([*WORKER, "gpu"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        wait_until(_reads, "The worker does not read")
        yield process
    finally:
        process.kill()
        process.wait()


def _reads() -> bool:
    """Whether a worker of another machine gives signs."""
    return any(one.name.startswith("gpu-") for one in workers())


@pytest.mark.soak
def test_it_trains_and_rewrites_what_this_one_asks_for(place, celery_workers, environment, settings, tmp_path):
    for name in ("gpu", "quick"):  # the workers of this machine
        celery_workers.kill(name)
    keys = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
    own = {"RESTYLE_DATA": str(tmp_path / "there"), "RESTYLE_STORAGE": place, "SECRET_KEY": settings.SECRET_KEY}
    process = subprocess.Popen(
        [*WORKER, "gpu"], cwd=ROOT, env={**environment, **keys, **own}, stdout=subprocess.PIPE, text=True
    )
    try:
        assert "Working on gpu" in process.stdout.readline()
        study = training_study(24)
        run = start_training(study=study, model="dictionary", by=None)
        assert _over(run).state == Job.State.DONE, _over(run).log
        best = run.checkpoints.get(kind="best")
        assert set(best.manifest["files"]) == {path.name for path in artifacts.local_copy(best).iterdir()}
        made = start_transfer(study=study, checkpoint=best, name="Dictionary", by=None)
        assert _over(made).state == Job.State.DONE, _over(made).log
        assert made.system.outputs.count() == 24
        assert (tmp_path / "there" / "work" / "checkpoints" / best.sha256).is_dir()
    finally:
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=as_loaded(60))
    assert (process.returncode, "Stopping" in said) == (0, True)


def _over(run) -> Job:
    wait_until(lambda: Job.objects.get(pk=run.job_id).is_over, "The job did not end")
    return Job.objects.get(pk=run.job_id)


@pytest.mark.parametrize(
    ("queues", "environment", "said"),
    [
        ("gpus", {}, "there are default, metrics, quick, gpu, serve."),
        ("gpu", {"RESTYLE_STORAGE": ""}, "set RESTYLE_STORAGE as they are there."),
        ("gpu,serve", {"DATABASE_URL": "", "RESTYLE_STORAGE": "/x"}, "set DATABASE_URL as they are there."),
        ("gpu", {"RESTYLE_STORAGE": "/no/such/folder"}, "RESTYLE_STORAGE is no folder of this machine."),
    ],
)
def test_what_it_lacks_is_one_sentence(monkeypatch, queues, environment, said):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(UserError) as refused:
        worker._check(queues.split(","))
    assert str(refused.value).endswith(said)
