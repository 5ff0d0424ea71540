"""Sweeps: their trainings from the best tune score to the worst, and how far they are."""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean, stdev
from typing import Any, NamedTuple

from django.db.models import QuerySet

from jobs.models import Job
from modelserving.models import Sweep, TrainingRun
from modelserving.option_search import best_first


def trainings_of(sweep: Sweep) -> QuerySet[TrainingRun]:
    """The trainings of a sweep with their jobs, without what a table does not show."""
    return sweep.trainings.select_related("job", "direction").defer("samples", "notes", "job__log").order_by("pk")


def ranked(runs: Sequence[TrainingRun]) -> list[TrainingRun]:
    """The trainings by their best tune score, the best first; those without a score last, in their order."""
    better = next((run.best.get("better") for run in runs if run.best), "higher")
    order = best_first([_value(run) for run in runs], higher_is_better=better != "lower")
    return [runs[place] for place in order]


def _value(run: TrainingRun) -> float | None:
    return run.best["value"] if run.best else None


class Repeats(NamedTuple):
    """The best tune scores of the trainings that repeat one with further seeds: their number, mean and deviation (of a
    sample, n - 1; None for one score). The repeated training, which was chosen for its score, is not among them."""

    number: int
    mean: float
    deviation: float | None


def repeats_of(run: TrainingRun, again: Iterable[TrainingRun]) -> Repeats | None:
    """The scores of those of `again` that are done and have the options of `run`; None where there are none."""
    same = (one for one in again if one.options == run.options and one.job.state == Job.State.DONE)
    values = [one.best["value"] for one in same if one.best and run.best and one.best["curve"] == run.best["curve"]]
    return Repeats(len(values), fmean(values), stdev(values) if len(values) > 1 else None) if values else None


def counts_of(runs: Iterable[TrainingRun]) -> dict[str, Any]:
    """How many of the trainings there are, by state, and how many are over."""
    states = Counter(run.job.state for run in runs)
    over = sum(run.job.is_over for run in runs)
    return {"total": sum(states.values()), "over": over, **{state: states[state] for state in states}}
