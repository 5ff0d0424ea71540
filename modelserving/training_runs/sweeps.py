"""Sweeps: their trainings from the best tune score to the worst, and how far they are."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import QuerySet

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


def counts_of(runs: Iterable[TrainingRun]) -> dict[str, Any]:
    """How many of the trainings there are, by state, and how many are over."""
    states = Counter(run.job.state for run in runs)
    over = sum(run.job.is_over for run in runs)
    return {"total": sum(states.values()), "over": over, **{state: states[state] for state in states}}
