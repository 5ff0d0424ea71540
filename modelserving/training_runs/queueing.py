"""A training on its way into the queue: all that may refuse it is checked first, then its rows are made."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from corpora.models import Direction, Study
from foundation.options import Value, options_as_stored
from jobs.actions.queue_job import queue_job
from jobs.models import Job
from modelserving.models import TrainingRun
from modelserving.outside_services import refuse_leaving
from modelserving.training_runs.requirements import check_needs, check_start, refuse_nothing_left
from modelserving.training_runs.silver import check_silver, run_awaited
from modelserving.transfer import TRANSFERS


@dataclass(frozen=True)
class CheckedTraining:
    """A training that nothing refuses: all its options, its data, and the job that it waits for, if any."""

    study: Study
    model: str
    options: Mapping[str, Value]
    direction: Direction | None
    styles: tuple[str, str]
    silver: Mapping[str, Any]
    after: Job | None


def check_training(
    study: Study, model: str, direction: Direction | None, options: Mapping[str, Any], *, preset: str = "",
    silver: Mapping[str, Any] | None = None, counted: set[str] | None = None,
) -> CheckedTraining:  # fmt: skip
    """The training with the `options` beside those of the `preset`; a UserError says why it cannot be.

    `counted` holds the limits of length under which texts were counted for trainings before this one.
    """
    kind = TRANSFERS[model]
    chosen = kind.choose_options(options, preset)
    stored = options_as_stored(chosen)
    kind.check_options(stored)
    direction, styles = check_needs(kind, study, direction, stored, silver=bool((silver or {}).get("system")))
    added, teacher = check_silver(kind, study, direction, silver or {})
    after = run_awaited(teacher, direction) if teacher and direction else None
    check_start(study, model, stored)
    counted = set() if counted is None else counted
    by_judgements = kind.wants_preferences(stored) and not kind.wants_texts(stored)
    limit = None if by_judgements else kind.length_limit(chosen)
    if limit and str(limit) not in counted:
        refuse_nothing_left(limit, study, direction, styles)
        counted.add(str(limit))
    return CheckedTraining(study, model, stored, direction, styles, added, after)


def queue_training(
    checked: CheckedTraining, name: str, *, seed: int, device: str, by: Any, send: bool = True, **more: Any
) -> TrainingRun:
    """The rows of the training and its job, in a transaction that has locked the study. `more` are further columns."""
    study = checked.study
    refuse_leaving(study, TRANSFERS[checked.model].sends_to(checked.options))
    job = queue_job(
        task="modelserving.tasks.train", title=f"Training: {name}", study_slug=study.slug, by=by,
        short=_is_short(checked), send=send, after=checked.after,
    )  # fmt: skip
    return TrainingRun.objects.create(
        job=job, study=study, name=name, model=checked.model, options=checked.options, seed=seed,
        direction=checked.direction, styles=list(checked.styles), device=device, silver=checked.silver, **more,
    )  # fmt: skip


def _is_short(checked: CheckedTraining) -> bool:
    """Whether nothing is learnt: examples are chosen, and a service is asked for a few texts."""
    return TRANSFERS[checked.model].needs == "optional" and not checked.options.get("folder")


def unused(usual: str, taken: Collection[str]) -> str:
    """The usual name, with a number behind it if it is taken."""
    others = (f"{usual} ({number})" for number in range(2, len(taken) + 3))
    return next(one for one in (usual, *others) if one not in taken)
