"""Checkpoints for the tests: a small real model, trained on the spot without PyTorch."""

from pathlib import Path
from typing import Any

from django.core.files.base import ContentFile
from django.utils import timezone

from corpora.models import Study
from foundation.options import validate_options
from jobs.models import Job
from modelserving import artifacts
from modelserving.models import Checkpoint, Sweep, TrainingRun, TransferRun
from modelserving.training.callbacks import Callbacks
from modelserving.training.checkpoint import Manifest, pack, versions
from modelserving.training.dataset import Pairs, TrainingData
from modelserving.transfer import TRANSFERS

DATA = TrainingData(
    "informal", "formal", train=Pairs(["pt has sob"], ["The patient has shortness of breath."]),
    dictionary={"pt": ("patient",), "sob": ("shortness of breath", "sobbing")},
)  # fmt: skip


def packed(folder: Path, name: str = "dictionary.zip", **about: Any) -> Path:
    """A dictionary that was trained, as a file."""
    kind = TRANSFERS["dictionary"]
    model = kind.fit(DATA, validate_options(kind.Options, {}), Callbacks(folder))
    files = folder / f"{name}-files"
    files.mkdir()
    model.save(files)
    manifest = Manifest("dictionary", {}, model.directions, {"seed": 1, "name": "Dictionary"}, versions())
    pack(files, Manifest(**{**vars(manifest), **about}), folder / name)
    return folder / name


def checkpoint(study: Study, folder: Path, run: TrainingRun | None = None, **about: Any) -> Checkpoint:
    """A checkpoint of the study, with its file in storage."""
    path = packed(folder, **about)
    kind = Checkpoint.Kind.BEST if run else Checkpoint.Kind.IMPORTED
    return Checkpoint.objects.create(
        study=study, run=run, kind=kind, model="dictionary", name="Dictionary", sha256=artifacts.digest(path),
        file=artifacts.store(path, artifacts.fresh_name("checkpoints", "tests", ending=".zip")),
        size=path.stat().st_size,
        manifest=_manifest(path), made_at=timezone.now(),
    )  # fmt: skip


def _manifest(path: Path) -> dict[str, Any]:
    from modelserving.training.checkpoint import verify

    return verify(path).plain()


def training(study: Study) -> TrainingRun:
    """A training that is over."""
    return TrainingRun.objects.create(
        job=job_that_is_over(study), study=study, name="Dictionary", model="dictionary",
        direction=study.directions.first(),
        styles=["informal", "formal"],
    )  # fmt: skip


def sweep(study: Study, run: TrainingRun) -> Sweep:
    """A sweep whose one training is this one."""
    made = Sweep.objects.create(
        study=study, name="Seeds", model=run.model, vary={"seed": {"low": 0, "high": 9}}, at_most=1
    )
    TrainingRun.objects.filter(pk=run.pk).update(sweep=made, combination=1, options={**run.options, "seed": 1})
    return made


def file_transfer(study: Study, made_with: Checkpoint) -> TransferRun:
    """A run over a file that is over, with its result."""
    run = TransferRun(
        job=job_that_is_over(study), study=study, direction=study.directions.first(), model="dictionary",
        checkpoint=made_with,
        file_name="lines.txt",
    )  # fmt: skip
    run.result.save(artifacts.fresh_name("transfers", ending=".txt"), ContentFile(b"The patient.\n"), save=False)
    run.save()
    return run


def job_that_is_over(study: Study) -> Job:
    """The job of a training or a run."""
    now = timezone.now()
    return Job.objects.create(
        task="none", queue="gpu", title="A run", study_slug=study.slug, state=Job.State.DONE, queued_at=now
    )
