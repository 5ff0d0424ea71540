import os
import signal
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from accounts.management.telling import TellingCommand
from corpora.management.commands._base import study_named
from corpora.studies import direction_or_none
from foundation import preemption
from foundation.errors import UserError
from jobs.actions.retry_job import retry_job
from jobs.execution import Cancelled, JobResult, Preempted, Progress, run_job
from jobs.models import Job
from modelserving import artifacts
from modelserving.actions.start_training import start_training
from modelserving.management.arguments import BarCallbacks, typed_options
from modelserving.models import Checkpoint, TrainingRun
from modelserving.presenters.model_kinds import lengths_of_training
from modelserving.training_runs import distributed
from modelserving.training_runs.execution import clear_up, run_training
from modelserving.training_runs.run_callbacks import RunCallbacks
from modelserving.transfer import TRANSFERS


class ProgressBarCallbacks(BarCallbacks, RunCallbacks):
    """The callbacks of a run, with a bar."""

    def title(self) -> str:
        return self.run.name


INTERRUPTED = 130  # as shells have it for Ctrl-C


class Command(TellingCommand):
    help = (
        "Train a model on a study, here and now, for a cluster's own scheduler; its page in the browser shows it too. "
        "On several GPUs: torchrun --nproc-per-node=2 manage.py train ... Ctrl-C stops it and keeps what is learnt; "
        "so do SIGTERM and SIGUSR1, by which a cluster takes its machine back: the exit status is then 75."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("model", nargs="?", help=f"one of {', '.join(TRANSFERS.names())}")
        parser.add_argument("--study", help="the study's short name")
        parser.add_argument("--direction", default="", help="source-target; the study's only one where left out")
        parser.add_argument("--name", default="", help="of the training; by the model and the seed where left out")
        parser.add_argument(
            "--set", action="extend", nargs="+", default=[], metavar="NAME=VALUE", help="options, such as hidden=64"
        )
        parser.add_argument("--preset", default="", help="a set of options that the model has by name, such as medlane")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--device", default="auto", choices=TrainingRun.Device.values)
        parser.add_argument("--resume", type=int, metavar="TRAINING", help="go on with one that was stopped or lost")
        parser.add_argument(
            "--number-to", type=Path, metavar="FILE",
            help="write the training's number there; where there is one, go on with it: for scripts that run again",
        )  # fmt: skip
        parser.add_argument("--out", type=Path, help="a file that the best checkpoint is copied to")

    def handle(self, **options: Any) -> None:
        with preemption.listening(signal.SIGTERM, signal.SIGUSR1):
            if distributed.rank() > 0:
                _train_along()
                return
            try:
                run = _chosen(options)
            except UserError:
                distributed.broadcast(None)
                raise
            for sentence in lengths_of_training(run) if not run.job.started_at else ():
                self.stderr.write(sentence)
            self._train(run, options["out"])

    def _train(self, run: TrainingRun, out: Path | None) -> None:
        signal.signal(signal.SIGINT, ProgressBarCallbacks.stop)
        run_job(run.job_id, _trained)
        job = Job.objects.get(pk=run.job_id)
        if job.state != Job.State.FAILED:
            distributed.leave()
        clear_up(run.job_id)
        if job.state == Job.State.CANCELLED:
            raise _stopped(run)
        if job.state != Job.State.DONE:
            raise CommandError(job.error or f"The training {run.pk} is {job.get_state_display().lower()} elsewhere.")
        best = run.checkpoints.get(kind=Checkpoint.Kind.BEST)
        if out:
            artifacts.fetch(best.file.name, out)
        self.stdout.write(f"Checkpoint {best.pk} of training {run.pk}: {out or best.file.name}")


def _train_along() -> None:
    """Train as one of torchrun's other processes: they all end where this one cannot go on."""
    if told := distributed.receive():
        distributed.train_along(told)


def _trained(job: Job, progress: Progress) -> JobResult:
    """Train; when the process must end, cancel the run, which the scheduler starts again, not the site's workers."""
    try:
        return run_training(job, progress, ProgressBarCallbacks)
    except Preempted:
        raise Cancelled from None


def _stopped(run: TrainingRun) -> CommandError:
    """The error of a stop, with the state kept; its status tells a scheduler's script whether to start it again."""
    go_on = f"go on with: manage.py train --resume {run.pk}"
    if preemption.asked():
        return CommandError(f"Stopped by {preemption.signal_name()}; {go_on}", returncode=os.EX_TEMPFAIL)
    return CommandError(f"Stopped; {go_on}", returncode=INTERRUPTED)


def _chosen(given: dict[str, Any]) -> TrainingRun:
    """The training to resume, perhaps the one whose number the file has; else a new one."""
    file: Path | None = given["number_to"]
    noted = file.read_text().strip() if file and file.exists() else ""
    if noted and not noted.isdecimal():
        raise UserError("There is something else than the number of a training in this file.", where=str(file))
    resume = given["resume"] or (int(noted) if noted else None)
    run = _resumed(resume) if resume else _new(given)
    if file:
        file.write_text(f"{run.pk}\n")
    return run


def _new(given: dict[str, Any]) -> TrainingRun:
    if not given["model"] or not given["study"]:
        raise UserError("Say the model and --study, or --resume with the number of a training.")
    study, kind = study_named(given["study"]), TRANSFERS[given["model"]]
    direction, options = direction_or_none(study, given["direction"]), typed_options(kind.Options, given["set"])
    return start_training(
        study=study, model=given["model"], name=given["name"], direction=direction, options=options,
        seed=given["seed"], device=given["device"], send=False, preset=given["preset"], by=None,
    )  # fmt: skip


def _resumed(pk: int) -> TrainingRun:
    run = TrainingRun.objects.select_related("job").filter(pk=pk).first()
    if run is None:
        raise UserError("There is no training {pk}.", pk=pk)
    if run.job.state == Job.State.DONE:
        raise UserError("The training {pk} is done.", pk=pk)
    if run.job.is_over:
        retry_job(job=run.job, send=False)
    return run
