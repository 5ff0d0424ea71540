"""How far raters agree, over all texts that were judged."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from evaluation.numerics.distinct import count_distinct
from evaluation.numerics.results import Level
from evaluation.snapshot.judgements import RANK
from evaluation.snapshot_builder.build import BuiltSnapshot
from evaluation.snapshot_builder.criteria import CriterionScale
from evaluation.statistics import AgreementStatistic, of_kind

Json = dict[str, Any]


def rater_agreement(built: BuiltSnapshot) -> list[Json]:
    """A row a criterion and coefficient; texts that no system gave count too, control texts do not.

    A coefficient is stated where its entry's levels of measurement and design allow; one that says why it has no value
    is left out, except those that are always stated.
    """
    return [row for kind in built.scales for row in _of_kind(built, kind)]


def coefficients_for(level: Level, *, ranks: bool, crossed: bool) -> dict[str, AgreementStatistic]:
    """The coefficients that are stated of a criterion, by name, those that are always stated first.

    Args:
        level: the criterion's level of measurement.
        ranks: whether outputs were put in order, rather than rated one by one.
        crossed: whether every rater judged every text.
    """
    entries = of_kind(AgreementStatistic)
    always = {name: entry for name, entry in entries.items() if entry.always}
    fitting = {
        name: entry
        for name, entry in entries.items()
        if not ranks and level in entry.levels and (crossed or not entry.crossed)
    }
    return always | fitting


def _of_kind(built: BuiltSnapshot, kind: CriterionScale) -> Iterator[Json]:
    given = built.judgement_table
    rows_of_kind = given.criterion == given.criteria.index(kind.name)
    raters, texts = given.rater[rows_of_kind], given.text[rows_of_kind]
    crossed = bool(len(raters)) and np.bincount(texts).max() == count_distinct(raters)
    for name, entry in coefficients_for(kind.level, ranks=kind.name == RANK, crossed=crossed).items():
        value = entry.agree(raters, texts, given.value[rows_of_kind], kind.level)
        if entry.always or value.value is not None:
            yield {"criterion": kind.name, "coefficient": name, "measurement": kind.level, **vars(value)}
