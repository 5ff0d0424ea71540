"""Systems with different units in order: by the differences of each two over the sources that both have.

Where every system has its own random part of a study, there is little that all have, yet each two share enough to be
compared. Their order is by the values that fit these differences best (least squares, each weighed by how many sources
it is over), so an easy part helps no system. Where all have the same they are the systems' own numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from evaluation.correlation import SystemScores, bootstrap_system_scores
from evaluation.numerics import FEWEST, Floats, distinct
from evaluation.resampling import Bootstrap, SufficientStatistics
from evaluation.significance import shared_difference

Column = Sequence[SufficientStatistics | None]
BY_PAIRS = (
    "Systems have different sources: they are compared by what fits the differences of each two over the sources that "
    "both have; those that share too few are left out."
)
DIGITS = 10  # of a fitted value: equal systems are tied in spite of rounding
LEAST = 0.5
"""The share that a system has of the sources of the largest one; one with less is no part of such a design."""


@dataclass(frozen=True)
class PairFit:
    """The least squares of the `differences` (n_pairs,) of `pairs`: `weights` (n_places, n_pairs) take them to the
    values of `places`, whose mean is zero."""

    places: Sequence[int]
    pairs: Sequence[tuple[int, int]]
    differences: Floats
    weights: Floats


def values_by_pairs(column: Column, competing: Sequence[int]) -> dict[int, float]:
    """The values by which systems are put in order.

    Two that share fewer sources than a test needs are not compared. Systems that no chain of comparisons links with
    most of the others are left out.

    Args:
        column: What the number of each system is made of, by place.
        competing: The places of those that compete, all with a number.

    Returns:
        The values by place, about the mean of the systems' own; {} where no two can be compared, or where two parts
        that are equally large are not linked.
    """
    known = {place: sums for place in competing if (sums := column[place]) is not None}
    fit = _fit(known)
    if not fit.places:
        return {}
    values = _middle(known, fit) + fit.weights @ fit.differences
    return dict(zip(fit.places, values.tolist(), strict=True))


def comparable_scores(columns: Mapping[str, Column], bootstrap: Bootstrap) -> dict[str, SystemScores]:
    """The values that are correlated over systems: their own numbers, over all sources and in each bootstrap sample.

    If the systems of a column have different sources, the values are those that fit the differences of each two (as
    `values_by_pairs`), so that easy sources lift no system. Systems that cannot be compared so have no value.
    """
    even = {name: column for name, column in columns.items() if has_same_sources(column)}
    scores = bootstrap_system_scores(even, {}, bootstrap)[0]
    return {name: scores[name] if name in even else _fitted_scores(columns[name], bootstrap) for name in columns}


def has_same_sources(column: Column) -> bool:
    """Whether all systems that have a number have it over the same sources."""
    sources = [distinct(sums.groups) for sums in column if sums is not None]
    return all(np.array_equal(sources[0], of) for of in sources[1:])


def without_effects_of_items(values: Floats) -> Floats:
    """Scores less what each item adds for all systems, by least squares of the sum of a system and an item.

    Args:
        values: float64 (n_systems, n_items), NaN where a system lacks an item.

    Returns:
        The same shape: the means of the systems do not hang on which items each has. The values themselves where all
        systems have the same items.
    """
    here = np.isfinite(values)
    rows, columns = here.any(axis=1), here.any(axis=0)
    part = np.ix_(rows, columns)
    inside = here[part].astype(np.float64)
    if inside.all() or not inside.size:
        return values
    scores = np.where(here[part], values[part], 0.0)
    of_items = inside.sum(axis=0)
    balance = np.diag(inside.sum(axis=1)) - (inside / of_items) @ inside.T
    systems = np.linalg.pinv(balance) @ (scores - inside * (scores.sum(axis=0) / of_items)).sum(axis=1)
    items = ((scores - inside * systems[:, None]).sum(axis=0)) / of_items
    adjusted = values.copy()
    adjusted[part] = values[part] - items
    return adjusted


def _fitted_scores(column: Column, bootstrap: Bootstrap) -> SystemScores:
    known = {place: sums for place, sums in enumerate(column) if sums is not None}
    sources = {place: np.unique(sums.groups) for place, sums in known.items()}
    fit = _fit(known)
    shared = {(a, b): np.intersect1d(sources[a], sources[b], assume_unique=True) for a, b in fit.pairs}
    parts = {(place, shared[pair].tobytes()): _only(known[place], shared[pair]) for pair in fit.pairs for place in pair}
    drawn_parts = dict(zip(parts, _values(list(parts.values()), bootstrap), strict=True))
    values, drawn = np.full(len(column), np.nan), np.full((len(bootstrap.weights), len(column)), np.nan)
    if fit.places:
        both = [[drawn_parts[place, shared[pair].tobytes()] for place in pair] for pair in fit.pairs]
        differences = np.array([first - second for first, second in both])  # the first column is the study itself
        fitted = fit.weights @ differences
        own = _middle(known, fit)
        values[list(fit.places)] = [float(f"{value:.{DIGITS}g}") for value in own + fitted[:, 0]]
        drawn[:, list(fit.places)] = own + fitted[:, 1:].T
    groups: list[set[object]] = [set() for _ in column]
    for place in fit.places:
        groups[place] = set(distinct(known[place].groups)[:FEWEST].tolist())
    return SystemScores(values, drawn, groups, own=False)


def _values(parts: Sequence[SufficientStatistics], bootstrap: Bootstrap) -> list[Floats]:
    """Each part's value over all its sources, and then in each sample: (1 + n_samples,)."""
    counted = [(sums.groups, np.column_stack((sums.rows, np.ones(len(sums.rows))))) for sums in parts]
    drawn = bootstrap.sums(counted) if counted else []
    rows = [
        np.vstack((given.sum(axis=0), resampled)) for (_, given), resampled in zip(counted, drawn, strict=True)
    ]  # fmt: skip
    return [
        np.where(sums[:, -1] > 0, part.value_of(sums[:, :-1]), np.nan) for part, sums in zip(parts, rows, strict=True)
    ]


def _only(statistics: SufficientStatistics, sources: Floats) -> SufficientStatistics:
    """The rows of these sources."""
    inside = np.isin(statistics.groups, sources)
    return SufficientStatistics(statistics.groups[inside], statistics.rows[inside], statistics.value_of)


def _middle(known: Mapping[int, SufficientStatistics], fit: PairFit) -> float:
    """The mean of the fitted systems' own numbers."""
    return float(np.mean([known[place].value_of(known[place].rows.sum(axis=0)) for place in fit.places]))


def _fit(known: Mapping[int, SufficientStatistics]) -> PairFit:
    """Over pairs that have a difference over enough sources, each weighed by how many these are."""
    sizes = {place: len(np.unique(sums.groups)) for place, sums in known.items()}
    members = [place for place in known if sizes[place] >= LEAST * max(sizes.values())]
    compared = {
        (a, b): (difference, sources)
        for a, b in combinations(members, 2)
        for difference, sources in [shared_difference(known[a], known[b])]
        if difference is not None and sources >= FEWEST
    }
    places = _linked(members, compared)
    pairs = [pair for pair in compared if pair[0] in places and pair[1] in places]
    differences, roots = np.array([compared[pair][0] for pair in pairs]), np.sqrt([compared[pair][1] for pair in pairs])
    design = np.array([[(place == a) - (place == b) for place in places] for a, b in pairs], dtype=np.float64)
    if not pairs:
        return PairFit([], [], np.empty(0), np.empty((0, 0)))
    weights: Floats = np.asarray(np.linalg.pinv(design * roots[:, None]) * roots, dtype=np.float64)
    return PairFit(places, pairs, differences, weights)


def _linked(members: Sequence[int], compared: Mapping[tuple[int, int], object]) -> list[int]:
    """The largest part that comparisons link; [] where it is not the only one of its size."""
    parts: list[set[int]] = []
    for member in members:
        touched = [part for part in parts if any((min(member, of), max(member, of)) in compared for of in part)]
        parts = [part for part in parts if part not in touched] + [set().union({member}, *touched)]
    parts.sort(key=len)
    alone = not parts or len(parts[-1]) < 2 or (len(parts) > 1 and len(parts[-2]) == len(parts[-1]))
    return [] if alone else sorted(parts[-1])
