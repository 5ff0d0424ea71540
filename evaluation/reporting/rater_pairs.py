"""The agreement of each two raters on each criterion; raters are in an order in which groups stand together."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from evaluation.aggregation import method
from evaluation.metric_contract import Floats
from evaluation.numerics import Agreement
from evaluation.snapshot import is_rank
from evaluation.snapshot_builder.build import BuiltSnapshot
from evaluation.snapshot_builder.judgements import CriterionScale
from foundation.lazy_import import lazy_import
from foundation.translation import translatable

hierarchy = lazy_import("scipy.cluster.hierarchy")

Json = dict[str, Any]
COEFFICIENT = "krippendorff_alpha"
MOST = 24  # raters of a criterion, those with the most judgements: a map of more is not read
FEWEST = 5  # texts that both judged
TOO_FEW = translatable("They judged {n} of the same texts, and fewer than {fewest} say nothing.")
NONE_OF_THE_SAME = translatable("They judged none of the same texts.")


def rater_pairs(built: BuiltSnapshot) -> list[Json]:
    """A map for each criterion that outputs were rated on by two raters or more; rankings have none.

    A rater goes by the number that the rows behind a report's numbers have, from 1: nobody is named. `raters` are in
    the order of a hierarchical clustering (average linkage of 1 less alpha), `judged` of all are left out beyond the
    most frequent ones.
    """
    maps = [_of_kind(built, kind) for kind in built.scales if not is_rank(kind.name)]
    return [one for one in maps if len(one["raters"]) > 1]


def _of_kind(built: BuiltSnapshot, kind: CriterionScale) -> Json:
    given = built.judgement_table
    rows = given.criterion == given.criteria.index(kind.name)
    raters, counts = np.unique(given.rater[rows], return_counts=True)
    chosen = np.sort(raters[np.argsort(-counts, kind="stable")[:MOST]])
    inside = rows & np.isin(given.rater, chosen)
    texts, text = np.unique(given.text[inside], return_inverse=True)
    values = np.full((len(chosen), len(texts)), np.nan)
    values[np.searchsorted(chosen, given.rater[inside]), text] = given.value[inside]
    pairs = list(_pairs(values, kind))
    order = _order(len(chosen), pairs)
    return {
        "criterion": kind.name,
        "measurement": kind.level,
        "judged": len(raters),
        "raters": [int(chosen[place]) + 1 for place in order],
        "pairs": [
            {"a": int(chosen[a]) + 1, "b": int(chosen[b]) + 1, **_plain(agreed), "apart": apart}
            for (a, b), agreed, apart in pairs
        ],
    }


def _pairs(values: Floats, kind: CriterionScale) -> Iterator[tuple[tuple[int, int], Agreement, float | None]]:
    """Each two raters by place, with their alpha over the texts that both judged, and how far apart they are there."""
    for a, b in combinations(range(len(values)), 2):
        both = np.flatnonzero(np.isfinite(values[a]) & np.isfinite(values[b]))
        apart = float(np.mean(np.abs(values[a, both] - values[b, both]))) if len(both) else None
        if len(both) < FEWEST:
            why = TOO_FEW.format(n=len(both), fewest=FEWEST) if len(both) else NONE_OF_THE_SAME
            yield (a, b), Agreement(None, 2, len(both), why), apart
            continue
        raters, items = np.repeat([a, b], len(both)), np.tile(both, 2)
        said = np.concatenate([values[a, both], values[b, both]])
        yield (a, b), method(COEFFICIENT).agree(raters, items, said, kind.level), apart


def _plain(agreed: Agreement) -> Json:
    return {key: getattr(agreed, key) for key in ("value", "low", "high", "items", "undefined", "note")}


def _order(raters: int, pairs: list[tuple[tuple[int, int], Agreement, float | None]]) -> list[int]:
    """An order of raters in which those who agree stand together; pairs without a value are as far as the mean."""
    known = [agreed.value for _pair, agreed, _apart in pairs if agreed.value is not None]
    if raters < 3 or not known:
        return list(range(raters))
    usual = float(np.mean(known))
    distances = np.array([1 - (usual if agreed.value is None else agreed.value) for _pair, agreed, _apart in pairs])
    linked = hierarchy.linkage(np.clip(distances, 0, None), method="average", optimal_ordering=True)
    return [int(place) for place in hierarchy.leaves_list(linked)]
