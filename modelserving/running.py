"""Run a model over a study's sources, a batch at a time; what is stored already is not done again."""

from collections.abc import Iterator, Sequence

from django.conf import settings

from corpora.models import Direction, Output, Sentence, System
from foundation.errors import UserError
from foundation.options import checked
from jobs.models import Job
from jobs.runner import Progress
from modelserving.models import TransferRun
from modelserving.transfer import TRANSFERS


def run_transfer(job: Job, progress: Progress) -> None:
    """Write an output for every source that has none. Run again after a lost worker it goes on where that one was."""
    run = TransferRun.objects.select_related("study", "direction", "system").filter(job=job).first()
    if run is None:
        raise UserError("The system that this run made was removed; start a new run.")
    directions = [run.direction] if run.direction else list(run.study.directions.all())
    total = Sentence.objects.filter(direction__in=directions).count()
    done = run.system.outputs.count()
    progress.at(done, total, f"{done} of {total} outputs are there.")
    for direction in directions:
        for batch in _run_direction(run, direction):
            done += batch
            progress.at(done, total)
    progress.at(done, total, f"{run.system.outputs.count()} of {total} sources have an output.")


def _run_direction(run: TransferRun, direction: Direction) -> Iterator[int]:
    """Yield the size of each batch once its outputs are stored."""
    kind = TRANSFERS[run.model]
    model, decoding = kind.load(None), checked(kind.Decoding, run.settings)
    styles = direction.source_style, direction.target_style
    waiting = direction.sentences.exclude(outputs__system=run.system).order_by("number")
    rows = list(waiting.values_list("pk", "text"))
    size = settings.TRANSFER_BATCH
    for start in range(0, len(rows), size):
        batch = rows[start : start + size]
        texts = model.transfer([text for _, text in batch], styles, decoding)
        _store(run.system, [pk for pk, _ in batch], list(texts))
        yield len(batch)


def _store(system: System, ids: Sequence[int], texts: Sequence[str]) -> None:
    """Store a batch. Two workers that both hold a job for a moment cannot double an output: the database refuses."""
    rows = [Output(system=system, sentence_id=pk, text=text) for pk, text in zip(ids, texts, strict=True) if text]
    Output.objects.bulk_create(rows, ignore_conflicts=True)
