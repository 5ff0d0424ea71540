"""Units that tell of systems: where one leads by most, and where none does well."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.metrics import METRICS
from evaluation.snapshot.arrays import Floats
from evaluation.snapshot.study import StudySnapshot
from evaluation.table_parts.aspects import metric_of

LEADING = ("ascore", "bleu", "bleu_mean", "sari", "chrf")
"""Metrics by which a case is chosen, the first that is there: all compare with references, and high is good."""


@dataclass(frozen=True)
class SelectionMetric:
    """A metric, and what it gave: `values` (systems, units), of the systems at these `places`.

    Only units that all of these systems have a score of hold numbers.
    """

    metric: str
    places: Sequence[int]
    values: Floats

    @property
    def label(self) -> str:
        return METRICS[self.metric].label

    @classmethod
    def of(cls, snapshot: StudySnapshot) -> "SelectionMetric | None":
        """By the first of the metrics that two systems, people aside, have scores of; None where there is none."""
        for name in LEADING:
            if metric_of(snapshot, name) is None:
                continue
            scored = {
                place: outputs.sentences
                for place, outputs in enumerate(snapshot.scores[name])
                if outputs is not None and outputs.corpus is not None and not snapshot.systems[place].is_human
                and snapshot.systems[place].role == "system"
            }  # fmt: skip
            if len(scored) > 1:
                values = np.array(list(scored.values()))
                return cls(name, list(scored), np.where(np.isnan(values).any(axis=0), np.nan, values))
        return None


def leads(snapshot: StudySnapshot, telling: SelectionMetric) -> tuple[int, int] | None:
    """The system of the best score of the whole, and the unit in which it is ahead of all others by most.

    None where it is ahead nowhere.
    """
    whole = [snapshot.scores[telling.metric][place] for place in telling.places]
    first = int(np.argmax([outputs.corpus if outputs and outputs.corpus is not None else -np.inf for outputs in whole]))
    lead = telling.values[first] - np.delete(telling.values, first, axis=0).max(axis=0)
    ahead = np.where(np.isnan(lead), -np.inf, lead)
    unit = int(np.argmax(ahead)) if len(ahead) else 0
    return (telling.places[first], unit) if len(ahead) and ahead[unit] > 0 else None


def hardest(telling: SelectionMetric) -> int | None:
    """The unit whose best score is the lowest; None where no unit is scored for all."""
    best = telling.values.max(axis=0) if telling.values.size else np.full(0, np.nan)
    known = np.where(np.isnan(best), np.inf, best)
    return int(np.argmin(known)) if np.isfinite(known).any() else None
