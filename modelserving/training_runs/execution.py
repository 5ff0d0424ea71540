"""Run a training: on its dataset snapshot, from its last checkpoint, until it ends or is stopped.

The end is the same on any machine and after any number of tries: the dataset snapshot and the checkpoints are in
storage, and each source of chance comes from the seed.
"""

import shutil
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.conf import settings

from corpora.splits import left_out_message
from corpora.texts.streamed_units import count_mixed
from foundation.errors import UserError
from foundation.options import validate_options
from foundation.translation import translatable, translate
from jobs.execution import Cancelled, JobResult, Preempted, Progress
from jobs.models import Job
from modelserving import artifacts
from modelserving.models import Checkpoint, TrainingRun
from modelserving.ready_models import CPU, devices_for, name_of, named_among
from modelserving.room import GpuPlace
from modelserving.sinks import sinks_named
from modelserving.training.callbacks import Preempted as TrainingPreempted
from modelserving.training.callbacks import Stopped
from modelserving.training.dataset import TrainingData, read_dataset
from modelserving.training_runs import distributed
from modelserving.training_runs.dataset_snapshot import take_snapshot
from modelserving.training_runs.preferences import usable_pairs
from modelserving.training_runs.requirements import write_start
from modelserving.training_runs.run_callbacks import RunCallbacks, kept_in, note_kept
from modelserving.training_runs.silver import add_silver
from modelserving.training_runs.sink_reports import SinkReports
from modelserving.transfer import TRANSFERS


def run_training(job: Job, progress: Progress, callbacks_type: type[RunCallbacks] = RunCallbacks) -> JobResult:
    """Train the model of the job's run. Run again after a lost worker, it resumes where that one was.

    Cancelled where somebody stopped it, Preempted where its process must end; the best and the last checkpoint are
    then kept too.
    """
    run = TrainingRun.objects.select_related("study", "direction", "job").get(job=job)
    sinks = sinks_named(settings.SINKS)
    data = dataset_of(run, progress)
    fetch_checkpoints(run)
    devices = named_among(devices_for(TRANSFERS[run.model], run.device), run.options.get("devices", ""))
    alone = len(devices) == 1 or distributed.size() > 1
    device = devices[0] if len(devices) == 1 else devices[0].partition(":")[0]
    run.device_used = name_of(devices[0]) if len(devices) == 1 else f"{len(devices)} × {name_of(devices[0])}"[:100]
    run.save(update_fields=["device_used"])
    place = GpuPlace()
    try:
        if devices != [CPU]:
            place.wait(job, progress, translatable("A quick run uses the GPU; the training begins when it ends."))
        if not alone:
            place.leave()
            distributed.train_in_processes(run.pk, job.holder, folder_of(run), devices)
            return result_of(run)
        distributed.broadcast(
            distributed.DistributedTraining(str(folder_of(run)), run.model, run.options, run.seed, device)
        )
        callbacks = callbacks_type(run, progress, folder_of(run), device)
        callbacks.begun = place.leave
        callbacks.reports = SinkReports(run, sinks, callbacks.say)
        with callbacks.reports.until_the_end():
            fit(run, data, callbacks)
    except TrainingPreempted:
        raise Preempted from None
    except Stopped:
        raise Cancelled from None
    finally:
        place.leave()
    return result_of(run)


def result_of(run: TrainingRun) -> JobResult:
    """The kept checkpoints and their score; a warning where all of the best one's outputs of tune sources are empty."""
    run.refresh_from_db(fields=["best", "samples", "counts", "seconds"])
    kept = sorted(Checkpoint.objects.filter(run=run).values_list("kind", flat=True))
    said = translate(
        "Trained in {seconds} seconds; kept: {kept}.", seconds=f"{run.seconds:,.0f}", kept=", ".join(kept) or "nothing"
    )
    best = run.best
    if best:
        said = f"{said} {_best_in_words(best)}"
    return JobResult(said, _warning(run))


def _best_in_words(best: dict[str, Any]) -> str:
    if best.get("better") == "higher":
        said = translatable("Best {curve}: {value} at step {step}, higher is better.")
    elif best.get("better") == "lower":
        said = translatable("Best {curve}: {value} at step {step}, lower is better.")
    else:
        said = translatable("Best {curve}: {value} at step {step}.")
    curve, value, step = best["curve"].replace("_", " "), f"{best['value']:.4g}", f"{best['step']:,}"
    return translate(said, curve=curve, value=value, step=step)


def _warning(run: TrainingRun) -> str:
    """The warning about the look at the step of the best score, else about the last one."""
    step = (run.best or {}).get("step")
    look = next(
        (sample for sample in run.samples if sample["step"] == step), run.samples[-1] if run.samples else {"rows": []}
    )
    outputs = [row["output"] for row in look["rows"]]
    if not outputs or any(output.strip() for output in outputs):
        return ""
    return translate(
        "It writes nothing: all of its {n} samples at step {step} are empty.", n=len(outputs), step=f"{look['step']:,}"
    )


def fit(run: TrainingRun, data: TrainingData, callbacks: RunCallbacks) -> None:
    """Train, and leave the best and the last checkpoint, also after Stopped and a UserError, which are raised again."""
    kind = TRANSFERS[run.model]
    try:
        model = kind.fit(data, validate_options(kind.Options, run.options), callbacks)
        callbacks.directions = tuple(model.directions)
        callbacks.keep("best", model.save)
    except (Stopped, UserError):
        callbacks.upload()
        raise
    callbacks.upload()


def folder_of(run: TrainingRun) -> Path:
    """The run's folder on this machine."""
    return artifacts.work_folder("trainings", run.key)


def clear_up(job_id: int) -> None:
    """Remove this machine's copies once a training is done; storage has the kept ones."""
    run = TrainingRun.objects.filter(job=job_id, job__state=Job.State.DONE).first()
    if run:
        shutil.rmtree(folder_of(run), ignore_errors=True)


def dataset_of(run: TrainingRun, progress: Progress) -> TrainingData:
    """The dataset snapshot of a run: taken now, or fetched if it was taken before."""
    folder = folder_of(run) / "data"
    if not run.data_digest:
        progress.at(0, 0, "Freezing the data.")
        return _take_snapshot(run, folder, progress)
    try:
        data = read_dataset(folder)
    except UserError:
        data = None
    if data is None or data.digest != run.data_digest:
        data = _fetch_snapshot(run, folder)
    return data


def _take_snapshot(run: TrainingRun, folder: Path, progress: Progress) -> TrainingData:
    shutil.rmtree(folder, ignore_errors=True)
    write_start(run, folder)
    left = Counter[str]()
    judged = None
    if run.direction and TRANSFERS[run.model].wants_preferences(run.options):
        judged = usable_pairs(run.direction, run.options)
        progress.at(0, 0, str(judged))
    data = take_snapshot(run.study, (run.styles[0], run.styles[1]), run.direction, folder, left, judged)
    if left:
        progress.at(0, 0, left_out_message(left))
    if mixed := count_mixed(run.study, [run.direction] if run.direction else list(run.study.directions.all())):
        progress.at(0, 0, _mixed_message(mixed))
    if run.silver:
        data = add_silver(run, folder, partial(progress.at, 0, 0), partial(progress.at, 0, 0))
    with artifacts.scratch() as draft:
        with ZipFile(draft / "data.zip", "w", ZIP_DEFLATED, compresslevel=1) as zipped:
            for path in sorted(folder.iterdir()):
                zipped.write(path, path.name)
        run.data = artifacts.store(draft / "data.zip", artifacts.fresh_name("trainings", run.key, ending=".zip"))
    run.data_digest = data.digest
    run.counts = {
        "pairs": len(data.train), "tune": len(data.dev), **{style: len(data.texts[style]) for style in data.styles}
    }  # fmt: skip
    if run.silver:
        run.counts["silver"] = run.silver["kept"]
    if judged:
        run.counts |= {"preferences": len(judged.train), "held_out_preferences": len(judged.tune)}
    run.save(update_fields=["data", "data_digest", "counts", "silver"])
    return data


def _mixed_message(count: int) -> str:
    what = "1 document is left out: its" if count == 1 else f"{count:,} documents are left out: their"
    return f"{what} sentences lie in several splits. Split the study by document."


def _fetch_snapshot(run: TrainingRun, folder: Path) -> TrainingData:
    shutil.rmtree(folder, ignore_errors=True)
    with artifacts.scratch() as draft:
        artifacts.fetch(run.data.name, draft / "data.zip")
        with ZipFile(draft / "data.zip") as zipped:
            zipped.extractall(folder)
    data = read_dataset(folder)
    if data.digest != run.data_digest:
        raise UserError("The data in storage differ from the data that this training began with; start a new training.")
    return data


def fetch_checkpoints(run: TrainingRun) -> None:
    """Bring the last kept state into the run's folder: this machine's own, or that of storage if it is newer."""
    folder = folder_of(run)
    if kept_in(folder) >= run.kept:
        return
    for checkpoint in Checkpoint.objects.filter(run=run):
        place = folder / checkpoint.kind
        shutil.rmtree(place, ignore_errors=True)
        artifacts.fetch_checkpoint(checkpoint, place)
    note_kept(folder, run.kept)
