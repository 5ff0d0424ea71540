from collections.abc import Mapping
from typing import Any

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import transaction

from accounts.audit.log import audited
from corpora.actions.add_system import new_system
from corpora.actions.lock_study import lock_study
from corpora.models import Direction, Sentence, Study, System
from foundation.errors import UserError
from foundation.options import Value, list_options, options_as_stored, validate_options
from jobs.actions.queue_job import queue_job
from jobs.models import Job
from modelserving.artifacts.storage import fresh_name
from modelserving.models import Checkpoint, TransferRun
from modelserving.outside_services.terms import refuse_outside
from modelserving.ready_models.directions import directions_for
from modelserving.transfer import TRANSFERS, Transfer


@audited
@transaction.atomic
def start_transfer(
    *,
    study: Study,
    model: str = "",
    checkpoint: Checkpoint | None = None,
    name: str,
    direction: Direction | None = None,
    split: str = "",
    settings: Mapping[str, Any] | None = None,
    by: Any,
) -> TransferRun:
    """Queue a run over the sources of a direction, or of every one that the model serves; its outputs become a system.

    A model that is trained runs from a `checkpoint`, any other by its name. `split` is one of the splits, or "" for
    all; `settings` are the kind's `Decoding`.
    """
    lock_study(study)
    kind, model = _kind(study, model, checkpoint)
    refuse_outside(study, kind, checkpoint)
    chosen = _decoding(kind, checkpoint, settings)
    if split not in ("", *Sentence.Split.values):
        raise UserError(f"'{split}' is no split; it is train, tune or test.", where="split")
    for one in directions_for(kind, checkpoint, study, direction):
        _check_sources(one, split)
    system = _system(study, kind, model, checkpoint, name, chosen, by)
    return TransferRun.objects.create(
        job=_job(kind, system.name, study, by), study=study, direction=direction, system=system, model=model,
        settings=chosen, checkpoint=checkpoint, split=split,
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
    kind, model = _kind(study, model, checkpoint)
    refuse_outside(study, kind, checkpoint)
    chosen = _decoding(kind, checkpoint, settings)
    directions_for(kind, checkpoint, study, direction)
    name = (file.name or "lines.txt").rpartition("/")[2][:200]
    check_lines(file, name)
    stored = default_storage.save(fresh_name("transfers", ending=".txt"), file)
    return TransferRun.objects.create(
        job=_job(kind, name, study, by), study=study, direction=direction, model=model, settings=chosen,
        checkpoint=checkpoint, file=stored, file_name=name,
    )  # fmt: skip


def check_lines(file: "File[Any]", name: str) -> None:
    """A UserError where the file holds nothing, or is not in UTF-8: with the number of the line."""
    number = 0
    for number, line in enumerate(file, 1):
        try:
            line.decode()
        except UnicodeDecodeError:
            raise UserError("The line is not in UTF-8.", where=f"{name}, line {number}") from None
    if not number:
        raise UserError("There is no line in it.", where=name)
    file.seek(0)


def _kind(study: Study, model: str, checkpoint: Checkpoint | None) -> tuple[Transfer, str]:
    if checkpoint and checkpoint.study_id != study.pk:
        raise UserError("The checkpoint is another study's.", where="checkpoint")
    name = checkpoint.model if checkpoint else model
    kind = TRANSFERS[name]
    if model and model != name:
        raise UserError(f"The checkpoint is of {name}, not of {model}.", where="model")
    if kind.needs != "nothing" and checkpoint is None:
        raise UserError(f"{kind.label} must be trained first; name one of its checkpoints.", where="checkpoint")
    return kind, name


def _decoding(kind: Transfer, checkpoint: Checkpoint | None, settings: Mapping[str, Any] | None) -> dict[str, Value]:
    """How it is to rewrite, as it is stored; a UserError where what it names is not there."""
    if checkpoint is None and (lacks := kind.why_unavailable()):
        raise UserError(lacks, where="model")
    decoding: Any = validate_options(kind.Decoding, settings or {})
    kind.check_decoding(decoding)
    if checkpoint is not None:
        kind.check_run(checkpoint.manifest["options"], decoding)
    return options_as_stored(decoding)


def _check_sources(direction: Direction, split: str) -> None:
    sources = direction.sentences.filter(split=split) if split else direction.sentences
    if not sources.exists():
        raise UserError(
            f"The direction has no sources in the {split} split." if split else "The direction has no sources yet.",
            where=direction.name,
        )


def _job(kind: Transfer, name: str, study: Study, by: Any) -> Job:
    return queue_job(
        task="modelserving.tasks.transfer", queue="gpu", title=f"{kind.label}: {name}"[:200], study_slug=study.slug,
        by=by,
    )  # fmt: skip


def _system(
    study: Study, kind: Transfer, model: str, checkpoint: Checkpoint | None, name: str, chosen: dict[str, Any], by: Any
) -> System:
    """The system of the outputs. Trainings of one model that differ in seed or options are one family."""
    if checkpoint is None:
        return new_system(study=study, name=name, origin=f"model {model}", allows_missing=True, by=by)
    manifest = checkpoint.manifest
    seed = manifest["trained"].get("seed")
    return new_system(
        study=study, name=name, origin=f"model {model}, checkpoint {checkpoint.sha256[:12]}", allows_missing=True,
        family=model, seed=seed if type(seed) is int and 0 <= seed < 2**31 else None,
        options={**_changed(kind.Options, manifest["options"]), **_changed(kind.Decoding, chosen)}, by=by,
    )  # fmt: skip


def _changed(kind: type, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are not as they usually are: what sets systems of one family apart."""
    usual = {one.name: one.default for one in list_options(kind)}
    changed = {name: value for name, value in chosen.items() if value != usual.get(name, value)}
    return {name: int(value) if isinstance(value, bool) else value for name, value in changed.items()}
