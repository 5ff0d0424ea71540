"""Run a model over a study's sources or a file of lines, a batch at a time; finished work is not done again."""

import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TextIO, cast

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import ngettext

from corpora.models import Direction, Output, Sentence, Study, System
from corpora.texts.units import text_of, units_of
from foundation.errors import UserError
from foundation.options import validate_options
from foundation.translation import translatable
from jobs.execution import JobResult, Parked, Progress
from jobs.models import Job
from modelserving import artifacts
from modelserving.models import Checkpoint, TransferRun
from modelserving.outside_services import StudyContext
from modelserving.ready_models import devices_for, directions_for
from modelserving.room import room_for
from modelserving.run_context import Answer, Refusal, usage_of
from modelserving.transfer import TRANSFERS, Model


class Source(NamedTuple):
    """A text to rewrite, with the keys of its sentences, and the number of the first in its direction."""

    ids: Sequence[int]
    text: str
    number: int


class RunSources:
    """The sources that a run takes, sentence by sentence."""

    one = "source"

    def __init__(self, run: TransferRun, directions: Sequence[Direction]) -> None:
        assert run.system is not None
        self.run, self.directions, self.system = run, directions, run.system

    def count(self) -> int:
        return self._sentences(self.directions).count()

    def count_done(self) -> int:
        return Output.objects.filter(system=self.system, sentence__in=self._sentences(self.directions)).count()

    def waiting(self, direction: Direction, window: int) -> Iterator[list[Source]]:
        """The sources of a direction without an output, in their order, so many at a time."""
        sentences = self._sentences([direction]).exclude(outputs__system=self.system).order_by("number")
        last = 0
        while rows := list(sentences.filter(number__gt=last).values_list("pk", "text", "number")[:window]):
            last = rows[-1][2]
            yield [Source([pk], text, number) for pk, text, number in rows]

    def _sentences(self, directions: Sequence[Direction]) -> QuerySet[Sentence]:
        sentences = Sentence.objects.filter(direction__in=directions)
        return sentences.filter(split=self.run.split) if self.run.split else sentences


class RunDocuments(RunSources):
    """The documents that a run takes; a document in several splits belongs to none of them."""

    one = "document"

    def __init__(self, run: TransferRun, directions: Sequence[Direction]) -> None:
        super().__init__(run, directions)
        homes = dict(self._sentences(directions).values_list("pk", "direction_id"))
        self._units = [(homes[unit.ids[0]], unit.ids) for unit in units_of(run.study) if all(map(homes.get, unit.ids))]

    def count(self) -> int:
        return len(self._units)

    def count_done(self) -> int:
        done = self._done()
        return sum(ids[0] in done for _, ids in self._units)

    def waiting(self, direction: Direction, window: int) -> Iterator[list[Source]]:
        done = self._done()
        units = (ids for home, ids in self._units if home == direction.pk and ids[0] not in done)
        while listed := list(islice(units, window)):
            keys = [pk for ids in listed for pk in ids]
            rows = Sentence.objects.filter(pk__in=keys).values_list("pk", "text", "number")
            texts, numbers = {pk: text for pk, text, _ in rows}, {pk: number for pk, _, number in rows}
            yield [Source(ids, text_of(ids, texts), numbers[ids[0]]) for ids in listed]

    def _done(self) -> set[int]:
        return set(self.system.outputs.values_list("sentence_id", flat=True))


def sources_of(run: TransferRun, directions: Sequence[Direction]) -> RunSources:
    """The sources or documents of these directions that the run takes."""
    return (RunDocuments if run.study.unit == Study.Unit.DOCUMENT else RunSources)(run, directions)


def store(system: System, sources: Sequence[Source], texts: Sequence[str]) -> int:
    """Store the outputs of a batch that are not empty; their number.

    Two workers that both hold a job for a moment cannot double an output: the database refuses.
    """
    written = [(source.ids, text) for source, text in zip(sources, texts, strict=True) if text.strip()]
    Output.objects.bulk_create(
        [
            Output(system=system, sentence_id=pk, text="" if place else text)
            for ids, text in written
            for place, pk in enumerate(ids)
        ],
        ignore_conflicts=True,
    )
    return len(written)


SAID_EVERY_SECONDS = 10.0


class TransferContext(StudyContext):
    """Hears a cancellation while the model waits, and stores the usage with each answer."""

    def __init__(self, run: TransferRun, progress: Progress) -> None:
        super().__init__(run.study_id, self._look, self._look, job_id=run.job_id)
        self.run, self.progress = run, progress
        self.usage = usage_of(run.usage)
        self._said = time.monotonic()

    def _write(self) -> None:
        with transaction.atomic():
            super()._write()
            self._store()
        if time.monotonic() - self._said > SAID_EVERY_SECONDS:
            self._said = time.monotonic()
            self._look(f"So far: {self.usage}.")

    def hold(self, cost: float) -> None:
        """Count and store before the call is sent: calls that a lost worker had under way stay counted."""
        super().hold(cost)
        if cost > 0:
            self._change()

    def awaits(self, sentence: str) -> None:
        Job.objects.filter(pk=self.run.job_id, state=Job.State.RUNNING).update(awaited=sentence)

    def leave(self, awaited: str) -> None:
        raise Parked(awaited)

    def note_batch(self, batch: Mapping[str, Any]) -> None:
        super().note_batch(batch)
        self._change()

    def count_kept(self, answers: Sequence[Answer]) -> None:
        super().count_kept(answers)
        if answers:
            self._store()

    def refuse(self, refusal: Refusal, text: str = "") -> None:
        super().refuse(refusal, text)
        self._store()

    def forget_refused(self) -> None:
        """Forget the refused texts of a run that asks about them again."""
        if self.usage != self.usage.without_refused():
            self.usage = self.usage.without_refused()
            self._store()

    def result(self, result: JobResult) -> JobResult:
        """The result of the job, with the usage."""
        warning = " ".join(filter(None, [result.warning, self.usage.warning]))
        if not (self.usage.calls or self.usage.kept):  # of a model that asks no service
            return JobResult(result.said, warning)
        self._store()
        return JobResult(f"{result.said} {self.usage}.", warning)

    def _store(self) -> None:
        self.run.usage = self.usage.plain()
        TransferRun.objects.filter(pk=self.run.pk).update(usage=self.run.usage)

    def _look(self, line: str = "") -> None:
        """Report the progress so far, with a line of the log; raises where somebody asked the job to stop."""
        self.progress.at(self.progress.last["done"], self.progress.last["total"], line)


WINDOW = 64  # batches whose texts are sorted by length together, so that those of a batch are about equally long
AT_ONCE = 8  # batches of a file that a model gets at a time


def run_transfer(job: Job, progress: Progress) -> JobResult:
    """Write an output for every source or line that has none. Run again, it resumes where the last one was."""
    wanted = ("study", "direction", "system", "checkpoint", "training")
    run = TransferRun.objects.select_related(*wanted).filter(job=job).first()
    if run is None:
        raise UserError("The system that this run made was removed; start a new run.")
    _take_checkpoint(run)
    with room_for(run, job, progress):
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
    return kind.load(artifacts.local_copy(run.checkpoint), devices_for(kind, "auto")[0])


def _run_study(run: TransferRun, progress: Progress) -> JobResult:
    """Run over the study. Sources or documents with an output are done: a model that writes nothing has none."""
    kind = TRANSFERS[run.model]
    directions = directions_for(kind, run.checkpoint, run.study, run.direction)
    sources = sources_of(run, directions)
    total, done = sources.count(), sources.count_done()
    progress.at(done, total, f"{done} of {total} outputs are there.")
    context = TransferContext(run, progress)
    context.forget_refused()
    model = model_of(run).within(context)
    decoding: Any = validate_options(kind.Decoding, run.settings)
    for direction in directions:
        _sign(run, model, direction, decoding)
        for batch in _run_direction(direction, sources, model, decoding, context):
            _sign(run, model, direction, decoding)
            done += batch
            progress.at(done, total)
    there = sources.count_done()
    progress.at(there, total)
    context.refuse_nothing(there)
    return context.result(_told(there, total, sources.one))


def _told(there: int, total: int, one: str) -> JobResult:
    """'12 of 30 sources have an output.', with a warning where the model wrote nothing for some."""
    said = _have_outputs(one, total).format(there=f"{there:,}", n=f"{total:,}")
    empty = total - there
    if not empty:
        return JobResult(said)
    return JobResult(said, (_lack_outputs(one, empty) if there else WROTE_NOTHING[one]).format(n=f"{empty:,}"))


WROTE_NOTHING = {
    "source": translatable("The model wrote nothing for any source."),
    "document": translatable("The model wrote nothing for any document."),
    "line": translatable("The model wrote nothing for any line."),
}


def _have_outputs(one: str, total: int) -> str:
    if one == "line":
        return ngettext("{there} of {n} line is rewritten.", "{there} of {n} lines are rewritten.", total)
    if one == "document":
        return ngettext("{there} of {n} document has an output.", "{there} of {n} documents have an output.", total)
    return ngettext("{there} of {n} source has an output.", "{there} of {n} sources have an output.", total)


def _lack_outputs(one: str, empty: int) -> str:
    if one == "line":
        return ngettext("The model wrote nothing for {n} line.", "The model wrote nothing for {n} lines.", empty)
    if one == "document":
        return ngettext(
            "The model wrote nothing for {n} document.", "The model wrote nothing for {n} documents.", empty
        )
    return ngettext("The model wrote nothing for {n} source.", "The model wrote nothing for {n} sources.", empty)


def _sign(run: TransferRun, model: Model, direction: Direction, decoding: Any) -> None:
    """Keep the signature of the outputs: it stays when the checkpoint is removed.

    A model that is `signed_late` is signed once it has answered.
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
    direction: Direction, sources: RunSources, model: Model, decoding: Any, context: TransferContext
) -> Iterator[int]:
    """Yield how many outputs each batch gave, once they are stored."""
    styles, size = _styles(model, direction), settings.TRANSFER_BATCH
    for window in sources.waiting(direction, size * WINDOW):
        window.sort(key=lambda source: len(source.text))
        at_once = len(window) if model.wide else size
        for start in range(0, len(window), at_once):
            part = window[start : start + at_once]
            outputs = zip(part, model.transfer([one.text for one in part], styles, decoding), strict=True)
            while batch := list(islice(outputs, size)):
                yield store(sources.system, [one for one, _ in batch], [text for _, text in batch])
                context.tell_refused((f"{direction}, source {one.number}", one.text) for one, _ in batch)


def _styles(model: Model, direction: Direction) -> tuple[str, str]:
    return model.known_as((direction.source_style, direction.target_style))


def _run_file(run: TransferRun, progress: Progress) -> JobResult:
    """Rewrite the lines of the run's file, in order, into its result; the lines of a killed worker here are kept."""
    if run.result:
        return JobResult("The lines were rewritten before.")
    folder = artifacts.work_folder("transfers", f"{run.job_id}-{Path(run.file.name or '').stem}")
    artifacts.fetch(run.file.name, folder / "lines.txt")
    with (folder / "lines.txt").open("rb") as file:
        total = sum(1 for _ in file)
    kind = TRANSFERS[run.model]
    context = TransferContext(run, progress)
    model = model_of(run).within(context)
    decoding: Any = validate_options(kind.Decoding, run.settings)
    done = _whole_lines(folder / "result.txt")
    progress.at(done, total, f"{done} of {total} lines are there.")
    assert run.direction is not None, "a run over a file has one"
    styles = _styles(model, run.direction)
    with _text(folder / "lines.txt", "r") as lines, _text(folder / "result.txt", "a") as result:
        for texts in rewritten(model, islice(lines, done, None), styles, decoding):
            result.writelines(f"{text}\n" for _, text in texts)
            result.flush()
            context.tell_refused((f"Line {done + place}", line) for place, (line, _) in enumerate(texts, 1))
            done += len(texts)
            progress.at(done, total)
    with _text(folder / "result.txt", "r") as result:
        there = sum(1 for line in result if line.strip())
    _refuse_nothing(context, there, folder / "result.txt")
    _sign(run, model, run.direction, decoding)
    run.result = artifacts.store(folder / "result.txt", artifacts.fresh_name("transfers", ending=".txt"))
    run.save(update_fields=["result"])
    progress.at(done, total)
    return context.result(_told(there, total, "line"))


def _refuse_nothing(context: TransferContext, there: int, result: Path) -> None:
    """Raise a UserError where all lines were refused; the next run asks about them again."""
    try:
        context.refuse_nothing(there)
    except UserError:
        result.unlink()
        context.forget_refused()
        raise


def rewritten(
    model: Model, lines: Iterator[str], styles: tuple[str, str], decoding: Any
) -> Iterator[list[tuple[str, str]]]:
    """Each line with its text in another style, in order, a window at a time; the model may sort it by length."""
    while window := [line.rstrip("\r\n") for line in islice(lines, settings.TRANSFER_BATCH * AT_ONCE)]:
        outputs = (" ".join(text.splitlines()) for text in model.transfer(window, styles, decoding))
        yield list(zip(window, outputs, strict=True))


def _text(path: Path, mode: str) -> TextIO:
    return cast(TextIO, path.open(mode, encoding="utf-8", newline="\n"))


def _whole_lines(path: Path) -> int:
    """The number of whole lines of a file; the part of a line that a killed process left is cut off."""
    if not path.exists():
        return 0
    with path.open("r+b") as file:
        count = end = 0
        for line in file:
            if line.endswith(b"\n"):
                count, end = count + 1, end + len(line)
        file.truncate(end)
    return count
