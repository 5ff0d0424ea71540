"""Run a model over a study's sources or a file of lines, a batch at a time; what is done already is not done again."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TextIO, cast

from django.conf import settings

from corpora.models import Direction
from foundation.errors import UserError
from foundation.options import validate_options
from jobs.execution.progress import JobResult, Progress
from jobs.models import Job
from modelserving.artifacts import storage
from modelserving.models import Checkpoint, TransferRun
from modelserving.ready_models.devices import devices_for
from modelserving.ready_models.directions import directions_for
from modelserving.run_context.usage import usage_of
from modelserving.transfer import TRANSFERS, Model
from modelserving.transfer_runs.context import TransferContext
from modelserving.transfer_runs.sources import RunSources, sources_of, store

WINDOW = 64  # batches whose texts are put in order of their lengths, so that those of a batch are about as long
AT_ONCE = 8  # batches of a file that a model is given at a time


def run_transfer(job: Job, progress: Progress) -> JobResult:
    """Write an output for every source or line that has none. Run again it goes on where the last one was."""
    wanted = ("study", "direction", "system", "checkpoint", "training")
    run = TransferRun.objects.select_related(*wanted).filter(job=job).first()
    if run is None:
        raise UserError("The system that this run made was removed; start a new run.")
    _take_checkpoint(run)
    return _run_file(run, progress) if run.system is None else _run_study(run, progress)


def _take_checkpoint(run: TransferRun) -> None:
    """The best checkpoint of the training that the run waited for."""
    if run.checkpoint is not None or run.training is None:
        return
    run.checkpoint = run.training.checkpoints.filter(kind=Checkpoint.Kind.BEST).first()
    if run.checkpoint is None:
        raise UserError("{name} has kept no checkpoint; start it again.", name=run.training.name)
    run.save(update_fields=["checkpoint"])


def model_of(run: TransferRun) -> Model:
    """The run's model, loaded on the best device of this machine."""
    kind = TRANSFERS[run.model]
    if kind.needs == "nothing":
        return kind.load(None, devices_for(kind, "auto")[0])
    if run.checkpoint is None:
        raise UserError("The checkpoint of this run was removed; start a new run.")
    return kind.load(storage.local_copy(run.checkpoint), devices_for(kind, "auto")[0])


def _run_study(run: TransferRun, progress: Progress) -> JobResult:
    """What is done are the sources or documents that have an output: of a model that writes nothing there are none."""
    kind = TRANSFERS[run.model]
    directions = directions_for(kind, run.checkpoint, run.study, run.direction)
    sources = sources_of(run, directions)
    total, done = sources.count(), sources.count_done()
    progress.at(done, total, f"{done} of {total} outputs are there.")
    context = TransferContext(run, progress)
    context.forget_refused()
    model, decoding = model_of(run).within(context), validate_options(kind.Decoding, run.settings)
    for direction in directions:
        _sign(run, model, direction, decoding)
        for batch in _run_direction(run, direction, sources, model, decoding):
            _sign(run, model, direction, decoding)
            done += batch
            progress.at(done, total)
    there = sources.count_done()
    progress.at(there, total)
    context.refuse_nothing(there)
    return context.result(_told(there, total, sources.one, "has an output", "have an output"))


def _told(there: int, total: int, one: str, has: str, have: str) -> JobResult:
    """'12 of 30 sources have an output.', with a warning where the model wrote nothing for some."""
    said = f"{there:,} of {total:,} {one if total == 1 else f'{one}s'} {has if there == 1 else have}."
    empty = total - there
    if not empty:
        return JobResult(said)
    what = f"any {one}" if not there else f"{empty:,} {one if empty == 1 else f'{one}s'}"
    return JobResult(said, f"The model wrote nothing for {what}.")


def _sign(run: TransferRun, model: Model, direction: Direction, decoding: Any) -> None:
    """Keep what the outputs come from: it stays when the checkpoint is removed.

    What is signed late is so once it has answered.
    """
    used = usage_of(run.usage)
    if model.signed_late and not (used.calls or used.kept):
        return
    said = f"{direction}: {model.signature(_styles(model, direction), decoding)}"
    if run.checkpoint and run.checkpoint.sha256 not in said:
        said += f"|checkpoint:{run.checkpoint.sha256}"
    if said not in run.signature:
        run.signature = "\n".join(filter(None, [run.signature, said]))
        run.save(update_fields=["signature"])


def _run_direction(
    run: TransferRun, direction: Direction, sources: RunSources, model: Model, decoding: Any
) -> Iterator[int]:
    """Yield how many outputs each batch gave, once they are stored."""
    styles, size = _styles(model, direction), settings.TRANSFER_BATCH
    for window in sources.waiting(direction, size * WINDOW):
        window.sort(key=lambda source: len(source.text))
        for start in range(0, len(window), size):
            batch = window[start : start + size]
            yield store(sources.system, batch, list(model.transfer([one.text for one in batch], styles, decoding)))


def _styles(model: Model, direction: Direction) -> tuple[str, str]:
    return model.known_as((direction.source_style, direction.target_style))


def _run_file(run: TransferRun, progress: Progress) -> JobResult:
    """Rewrite the lines of the run's file, in their order, into its result; what a killed worker did here is kept."""
    if run.result:
        return JobResult("The lines were rewritten before.")
    folder = storage.work_folder("transfers", f"{run.job_id}-{Path(run.file.name).stem}")
    storage.fetch(run.file.name, folder / "lines.txt")
    with (folder / "lines.txt").open("rb") as file:
        total = sum(1 for _ in file)
    kind = TRANSFERS[run.model]
    context = TransferContext(run, progress)
    model, decoding = model_of(run).within(context), validate_options(kind.Decoding, run.settings)
    done = _whole_lines(folder / "result.txt")
    progress.at(done, total, f"{done} of {total} lines are there.")
    styles = _styles(model, run.direction)
    with _text(folder / "lines.txt", "r") as lines, _text(folder / "result.txt", "a") as result:
        for texts in rewritten(model, islice(lines, done, None), styles, decoding):
            result.writelines(f"{text}\n" for text in texts)
            result.flush()
            done += len(texts)
            progress.at(done, total)
    with _text(folder / "result.txt", "r") as result:
        there = sum(1 for line in result if line.strip())
    _refuse_nothing(context, there, folder / "result.txt")
    _sign(run, model, run.direction, decoding)
    run.result = storage.store(folder / "result.txt", storage.fresh_name("transfers", ending=".txt"))
    run.save(update_fields=["result"])
    progress.at(done, total)
    return context.result(_told(there, total, "line", "is rewritten", "are rewritten"))


def _refuse_nothing(context: TransferContext, there: int, result: Path) -> None:
    """A UserError where all lines were refused; run again they are asked about again."""
    try:
        context.refuse_nothing(there)
    except UserError:
        result.unlink()
        context.forget_refused()
        raise


def rewritten(model: Model, lines: Iterator[str], styles: tuple[str, str], decoding: Any) -> Iterator[list[str]]:
    """The lines in another style, in their order, a window at a time, in which the model may go by their lengths."""
    while window := [line.rstrip("\r\n") for line in islice(lines, settings.TRANSFER_BATCH * AT_ONCE)]:
        yield [" ".join(text.splitlines()) for text in model.transfer(window, styles, decoding)]


def _text(path: Path, mode: str) -> TextIO:
    return cast(TextIO, path.open(mode, encoding="utf-8", newline="\n"))


def _whole_lines(path: Path) -> int:
    """How many whole lines a file has; what a killed process left of another is cut off."""
    if not path.exists():
        return 0
    with path.open("r+b") as file:
        count = end = 0
        for line in file:
            if line.endswith(b"\n"):
                count, end = count + 1, end + len(line)
        file.truncate(end)
    return count
