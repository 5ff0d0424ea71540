from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import IO, Any, cast

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import transaction

from accounts.audit import audited
from corpora.actions.add_system import new_system
from corpora.actions.lock_study import lock_study
from corpora.fields import system_name
from corpora.formats import LINE_LIMIT
from corpora.models import Direction, Sentence, Study, System
from foundation.errors import UserError
from foundation.options import Value, as_given, list_options, option, option_named, options_as_stored, validate_options
from foundation.translation import translatable
from jobs.actions.queue_job import queue_job
from jobs.models import Job
from jobs.queues import SHORT_RUN
from modelserving.artifacts import fresh_name
from modelserving.models import Checkpoint, TrainingRun, TransferRun
from modelserving.outside_services import refuse_outside
from modelserving.ready_models import CPU, Trained, check_styles, directions_for, trained_model
from modelserving.transfer import TRANSFERS, Transfer

LONGEST = 4 * LINE_LIMIT + 3
"""Bytes that are too many for a line with its end, whatever its characters are."""


@dataclass(frozen=True)
class TransferFields:
    """The fields that `start_transfer` takes: one of model, checkpoint and training; the model checks its settings."""

    model: str = option("", "One that needs no training.", label="Model", choices=lambda: ["", *TRANSFERS.names()])
    checkpoint: object = option(None, "One of the study's.", label="Checkpoint", row="checkpoint")
    name: str = system_name()
    direction: object = option(None, "All that the model serves where left out.", label="Direction", row="direction")
    split: str = option(
        "", "A model trained here has seen the train split and was chosen on the tune split.",
        label="Sources", choices=[("", translatable("All splits")), *Sentence.Split.choices],
    )  # fmt: skip
    settings: object = option(None, "How it rewrites.", table=as_given)


@audited
@transaction.atomic
def start_transfer(
    *,
    study: Study,
    model: str = "",
    checkpoint: Checkpoint | None = None,
    training: TrainingRun | None = None,
    name: str,
    family: str = "",
    direction: Direction | None = None,
    split: str = "",
    settings: Mapping[str, Any] | None = None,
    by: Any,
) -> TransferRun:
    """Queue a run over the sources of a direction, or of every one that the model serves; its outputs become a system.

    A trained model runs from a `checkpoint`, or from the best one of a `training`: the run then waits for its end. Any
    other model is given by its name. `split` is one of the splits, or "" for all; `settings` are the kind's `Decoding`.
    Systems of trained models have the given `family`, else the model's.
    """
    lock_study(study)
    trained = trained_model(study, checkpoint, training)
    kind, model = _kind(model, trained)
    refuse_outside(study, kind, checkpoint)
    chosen = _decoding(kind, trained, settings)
    if training is not None:
        direction = direction or training.direction
        check_styles(training, direction)
    split = option_named(TransferFields, "split").check(split)
    texts = sum(_checked_sources(one, split) for one in directions_for(kind, checkpoint, study, direction))
    system = _system(study, kind, model, trained, name, family, chosen, by)
    job = _job(kind, system.name, study, by, texts, chosen, after=training.job if training else None)
    return TransferRun.objects.create(
        job=job, study=study, direction=direction, system=system, model=model, settings=chosen, checkpoint=checkpoint,
        training=training, split=split,
    )  # fmt: skip


@audited
@transaction.atomic
def start_file_transfer(
    *,
    study: Study,
    file: "File[Any]",
    direction: Direction,
    model: str = "",
    checkpoint: Checkpoint | None = None,
    settings: Mapping[str, Any] | None = None,
    by: Any,
) -> TransferRun:
    """Queue a run over an uploaded file of lines (UTF-8); its `result` can be fetched when it is done."""
    trained = trained_model(study, checkpoint, None)
    kind, model = _kind(model, trained)
    refuse_outside(study, kind, checkpoint)
    chosen = _decoding(kind, trained, settings)
    directions_for(kind, checkpoint, study, direction)
    name = (file.name or "lines.txt").rpartition("/")[2][:200]
    lines = check_lines(file, name)
    stored = default_storage.save(fresh_name("transfers", ending=".txt"), file)
    return TransferRun.objects.create(
        job=_job(kind, name, study, by, lines, chosen), study=study, direction=direction, model=model, settings=chosen,
        checkpoint=checkpoint, file=stored, file_name=name,
    )  # fmt: skip


def check_lines(file: "File[Any]", name: str) -> int:
    """The number of lines; a UserError, with the line's number, where the file is empty, not in UTF-8, or one is too
    long."""
    number, stream = 0, cast(IO[bytes], file.file)
    stream.seek(0)
    for number, line in enumerate(iter(partial(stream.readline, LONGEST), b""), 1):
        where = f"{name}, line {number}"
        try:
            too_long = len(line) == LONGEST or len(line.decode()) > LINE_LIMIT + 2
        except UnicodeDecodeError:
            raise UserError("The line is not in UTF-8.", where=where) from None
        if too_long:
            raise UserError("the line is longer than {line_limit:,} characters.", line_limit=LINE_LIMIT, where=where)
    if not number:
        raise UserError("The file has no line.", where=name)
    file.seek(0)
    return number


def _kind(model: str, trained: Trained | None) -> tuple[Transfer, str]:
    name = trained.model if trained else model
    kind = TRANSFERS[name]
    if model and model != name:
        raise UserError("The checkpoint is of {name}, not of {model}.", name=name, model=model, where="model")
    if kind.needs != "nothing" and trained is None:
        raise UserError("{label} needs training: name one of its checkpoints.", label=kind.label, where="checkpoint")
    return kind, name


def _decoding(kind: Transfer, trained: Trained | None, settings: Mapping[str, Any] | None) -> dict[str, Value]:
    """The stored form of the settings; a UserError where they name something that does not exist."""
    if trained is None and (lacks := kind.why_unavailable()):
        raise UserError(lacks, where="model")
    decoding: Any = validate_options(kind.Decoding, settings or {})
    kind.check_decoding(decoding)
    if trained is not None:
        kind.check_run(trained.options, decoding)
    return options_as_stored(decoding)


def _checked_sources(direction: Direction, split: str) -> int:
    """The number of sources; a UserError where there are none."""
    count = (direction.sentences.filter(split=split) if split else direction.sentences).count()
    if not count:
        raise UserError(
            f"The direction has no sources in the {split} split." if split else "The direction has no sources yet.",
            where=direction.name,
        )
    return count


def _job(
    kind: Transfer, name: str, study: Study, by: Any, texts: int, chosen: Mapping[str, Value], after: Job | None = None
) -> Job:  # fmt: skip
    """The job, in the queue of quick runs if it takes minutes at a worker: rules do with any number of texts, and so do
    batches, which wait at none."""
    leaves = bool(kind.prompts and chosen.get("batches"))
    rules = kind.needs == "nothing" and kind.device == CPU
    return queue_job(
        task="modelserving.tasks.transfer", title=f"{kind.label}: {name}"[:200], study_slug=study.slug, by=by,
        short=rules or leaves or texts <= SHORT_RUN, after=after,
    )  # fmt: skip


def _system(
    study: Study, kind: Transfer, model: str, trained: Trained | None, name: str, family: str, chosen: dict[str, Any],
    by: Any,
) -> System:  # fmt: skip
    """The system of the outputs. Trainings of one model that differ in seed or options are one family."""
    if trained is None:
        return new_system(study=study, name=name, origin=f"model {model}", allows_missing=True, by=by)
    return new_system(
        study=study, name=name, origin=trained.origin, allows_missing=True, family=family or model, seed=trained.seed,
        options={**_changed(kind.Options, trained.options), **_changed(kind.Decoding, chosen)}, by=by,
    )  # fmt: skip


def _changed(kind: type, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The options that differ from the defaults: they set the systems of one family apart."""
    usual = {one.name: one.default for one in list_options(kind)}
    changed = {name: value for name, value in chosen.items() if value != usual.get(name, value)}
    return {name: int(value) if isinstance(value, bool) else value for name, value in changed.items()}
