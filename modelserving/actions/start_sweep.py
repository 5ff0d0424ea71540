from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Direction, Study
from foundation.errors import UserError
from foundation.options import as_given, check_given, option
from modelserving.actions.start_training import TrainingFields
from modelserving.models import Sweep, TrainingRun
from modelserving.option_search import AT_MOST, MOST, plan_sweep
from modelserving.training_runs.queueing import check_training, queue_training, unused
from modelserving.transfer import TRANSFERS


@dataclass(frozen=True)
class SweepFields(TrainingFields):
    """The fields that `start_sweep` takes."""

    name: str = option("", "Left empty, the model and the kind of search.", label="Name", characters=90,
                       clean=str.strip)  # fmt: skip
    seed: int = option(
        1, "The same seed draws the same options; each training has this seed too.", label="Seed", low=0,
        high=2**31 - 1,
    )  # fmt: skip
    vary: object = option(
        None, "The options that vary: each a list of values, or a range (low, high, scale linear or log).",
        table=as_given,
    )  # fmt: skip
    search: str = option(
        Sweep.Search.RANDOM.value, "A grid trains each combination of the values; random search draws them.",
        label="Search", choices=Sweep.Search.choices,
    )  # fmt: skip
    at_most: int = option(AT_MOST, "A grid of more is refused.", label="Trainings, at most", low=1, high=MOST)
    score: str = option(
        "", "The tune score by which trainings are compared; left empty, the model's own.", label="Tune score",
        characters=60,
    )  # fmt: skip


@audited
@transaction.atomic
def start_sweep(
    *,
    study: Study,
    model: str,
    vary: Mapping[str, Any],
    search: str = Sweep.Search.RANDOM,
    at_most: int = AT_MOST,
    score: str = "",
    name: str = "",
    direction: Direction | None = None,
    options: Mapping[str, Any] | None = None,
    preset: str = "",
    seed: int = 1,
    device: str = TrainingRun.Device.AUTO,
    silver: Mapping[str, Any] | None = None,
    by: Any,
) -> Sweep:
    """Queue a training for each combination of the options that `vary`, beside the fixed `options`.

    A UserError names the option or the combination that the model does not take, or what the study lacks; nothing is
    queued then. The other arguments are those of `start_training`.
    """
    asked = {"name": name, "seed": seed, "device": device, "search": search, "at_most": at_most, "score": score}
    given = check_given(SweepFields, asked, partial=True)
    fixed, each = plan_sweep(
        TRANSFERS[model], vary, options or {}, preset=preset, search=search, at_most=at_most, seed=seed, score=score
    )
    counted: set[str] = set()
    checked = [
        check_training(study, model, direction, {**fixed, **values}, preset=preset, silver=silver, counted=counted)
        for values in each
    ]
    lock_study(study)  # not before texts were counted
    name, others = given["name"], set(study.sweeps.values_list("name", flat=True))
    if name in others:
        raise UserError("The study has a sweep '{name}' already.", name=name, where="name")
    sweep = Sweep.objects.create(
        study=study, name=name or unused(f"{model}, {search} search", others), model=model, options=fixed,
        preset=preset, vary=vary, search=search, at_most=at_most, seed=seed, direction=checked[0].direction, made_by=by,
    )  # fmt: skip
    taken = set(study.trainings.values_list("name", flat=True))
    for number, one in enumerate(checked, 1):
        called = unused(f"{sweep.name} {number}", taken)
        queue_training(one, called, seed=seed, device=device, by=by, sweep=sweep, combination=number)
    return sweep
