import signal
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from foundation.errors import UserError
from jobs.actions.retry_job import retry_job
from jobs.execution.runner import run_job
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.artifacts import storage
from modelserving.management.arguments import direction_named, study_named, typed_options
from modelserving.models import Checkpoint, TrainingRun
from modelserving.training_runs import distributed
from modelserving.training_runs.execution import clear_up, run_training
from modelserving.training_runs.progress_bar import ProgressBarCallbacks
from modelserving.transfer import TRANSFERS


class Command(BaseCommand):
    help = (
        "Train a model on a study, here and now, for a cluster's own scheduler; its page in the browser shows it too. "
        "On several GPUs: torchrun --nproc-per-node=2 manage.py train ... Ctrl-C stops it and keeps what is learnt."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("model", nargs="?", help=f"one of {', '.join(TRANSFERS.names())}")
        parser.add_argument("--study", help="the study's short name")
        parser.add_argument("--direction", default="", help="source-target; the study's only one where left out")
        parser.add_argument("--name", default="", help="of the training; by the model and the seed where left out")
        parser.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE", help="options, such as hidden=64")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--device", default="auto", choices=TrainingRun.Device.values)
        parser.add_argument("--resume", type=int, metavar="TRAINING", help="go on with one that was stopped or lost")
        parser.add_argument("--out", type=Path, help="a file that the best checkpoint is copied to")

    def handle(self, *, resume: int | None, out: Path | None, **options: Any) -> None:
        if distributed.rank() > 0:
            told = distributed.receive()
            if told:
                distributed.train_along(told)
            return
        try:
            run = _resumed(resume) if resume else _new(options)
        except UserError as error:
            distributed.broadcast(None)
            raise CommandError(str(error)) from error
        self._train(run, out)

    def _train(self, run: TrainingRun, out: Path | None) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, ProgressBarCallbacks.stop)
        run_job(run.job_id, lambda job, progress: run_training(job, progress, ProgressBarCallbacks))
        clear_up(run.job_id)
        job = Job.objects.get(pk=run.job_id)
        if job.state == Job.State.CANCELLED:
            raise CommandError(f"Stopped; go on with: manage.py train --resume {run.pk}", returncode=130)
        if job.state != Job.State.DONE:
            raise CommandError(job.error or f"The training {run.pk} is {job.get_state_display().lower()} elsewhere.")
        best = run.checkpoints.get(kind=Checkpoint.Kind.BEST)
        if out:
            storage.fetch(best.file.name, out)
        self.stdout.write(f"Checkpoint {best.pk} of training {run.pk}: {out or best.file.name}")


def _new(given: dict[str, Any]) -> TrainingRun:
    if not given["model"] or not given["study"]:
        raise UserError("Say the model and --study, or --resume with the number of a training.")
    study, kind = study_named(given["study"]), TRANSFERS[given["model"]]
    return start_training(
        study=study, model=given["model"], name=given["name"], direction=direction_named(study, given["direction"]),
        options=typed_options(kind.Options, given["set"]), seed=given["seed"], device=given["device"], send=False,
        by=None,
    )  # fmt: skip


def _resumed(pk: int) -> TrainingRun:
    run = TrainingRun.objects.select_related("job").filter(pk=pk).first()
    if run is None:
        raise UserError(f"There is no training {pk}.")
    if run.job.state == Job.State.DONE:
        raise UserError(f"The training {pk} is done.")
    if run.job.is_over:
        retry_job(job=run.job, send=False)
    return run
