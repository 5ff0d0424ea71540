"""A worker on another machine: only database, queue and files are shared with it."""

import os
import signal
import subprocess
import sys

import pytest
from support.processes import wait_until
from support.s3 import s3_server
from support.training_studies import training_study

from config.environment.storage import storage_of
from foundation.project import ROOT
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_transfer
from modelserving.artifacts import storage

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


def test_it_trains_and_rewrites_what_this_one_asks_for(place, celery_workers, environment, settings, tmp_path):
    celery_workers.kill("gpu")  # the worker of this machine
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
        assert set(best.manifest["files"]) == {path.name for path in storage.local_copy(best).iterdir()}
        made = start_transfer(study=study, checkpoint=best, name="Dictionary", by=None)
        assert _over(made).state == Job.State.DONE, _over(made).log
        assert made.system.outputs.count() == 24
        assert (tmp_path / "there" / "work" / "checkpoints" / best.sha256).is_dir()
    finally:
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    assert (process.returncode, "Stopping" in said) == (0, True)


def _over(run) -> Job:
    wait_until(lambda: Job.objects.get(pk=run.job_id).is_over, "The job did not end")
    return Job.objects.get(pk=run.job_id)


@pytest.mark.parametrize(
    ("queues", "environment", "said"),
    [
        ("gpus", {}, "there are default, metrics, gpu, serve."),
        ("gpu", {"RESTYLE_STORAGE": ""}, "set RESTYLE_STORAGE as they are there."),
        ("gpu,serve", {"DATABASE_URL": "", "RESTYLE_STORAGE": "/x"}, "set DATABASE_URL as they are there."),
        ("gpu", {"RESTYLE_STORAGE": "/no/such/folder"}, "RESTYLE_STORAGE is no folder of this machine."),
    ],
)
def test_what_it_lacks_is_one_sentence(queues, environment, said):
    base = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}"}
    done = subprocess.run([*WORKER, queues], env={**base, **environment}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip().endswith(said)) == (1, True), done.stderr
