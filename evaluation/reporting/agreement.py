"""How far raters agree, over all texts that were judged."""

from dataclasses import asdict
from typing import Any

from evaluation.recording import Gathered
from evaluation.statistics import STATISTICS

ALPHA = "krippendorff_alpha"


def agreement(gathered: Gathered) -> list[dict[str, Any]]:
    """A row a criterion and coefficient; texts that no system gave count too, those of control items do not."""
    given = gathered.given
    found = []
    for kind in gathered.kinds:
        at = given.criterion == given.criteria.index(kind.name)
        rows = given.rater[at], given.text[at], given.value[at]
        value = STATISTICS[ALPHA].agree(*rows, kind.level)
        found.append({"criterion": kind.name, "coefficient": ALPHA, "measurement": kind.level, **asdict(value)})
    return found
