"""How far raters agree, over all texts that were judged."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from evaluation.numerics.distinct import count_distinct
from evaluation.recording.gathering import Gathered
from evaluation.recording.judging import Kind
from evaluation.snapshot.judgements import RANK
from evaluation.statistics import STATISTICS, AgreementStatistic, of_kind

Json = dict[str, Any]
ALPHA = "krippendorff_alpha"
ICC = frozenset({"icc_1_1", "icc_1_k", "icc_a_1", "icc_a_k", "icc_c_1", "icc_c_k"})
TWO_WAY = ("icc_a_", "icc_c_")  # of texts that everybody judged
FITTING = {
    "nominal": frozenset({"cohen_kappa", "fleiss_kappa"}),
    "ordinal": ICC | {"cohen_kappa_linear", "cohen_kappa_quadratic", "fleiss_kappa"},
    "interval": ICC,
}


def agreement(gathered: Gathered) -> list[Json]:
    """A row a criterion and coefficient; texts that no system gave count too, attention checks do not.

    Alpha stands for every criterion, the others where level of measurement and design allow: one that says why it has
    no value is left out.
    """
    return [row for kind in gathered.kinds for row in _of_kind(gathered, kind)]


def _of_kind(gathered: Gathered, kind: Kind) -> Iterator[Json]:
    given = gathered.given
    at = given.criterion == given.criteria.index(kind.name)
    rows = given.rater[at], given.text[at], given.value[at]
    fitting = FITTING[kind.level] if kind.name != RANK else frozenset()
    crossed = bool(len(rows[0])) and np.bincount(rows[1]).max() == count_distinct(rows[0])
    others = [name for name in of_kind(AgreementStatistic) if name in fitting]
    for name in (ALPHA, *(one for one in others if crossed or not one.startswith(TWO_WAY))):
        value = STATISTICS[name].agree(*rows, kind.level)
        if name == ALPHA or value.value is not None:
            yield {"criterion": kind.name, "coefficient": name, "measurement": kind.level, **asdict(value)}
