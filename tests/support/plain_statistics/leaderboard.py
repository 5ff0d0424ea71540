"""The leaderboard written straight from docs/report.md: slow, and easy to check by eye.

`given` are the values of a system's units: {unit: [value, ...]}. A number of several units is their `mean`, over units
or over all values (`averaging`). `home` is the source of each unit. No random numbers: p is the share of all swaps.
"""

from itertools import combinations, product

import numpy as np
from scipy.stats import t

LEAST, FEWEST = 0.9, 4


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else None


def averaged(given, averaging):
    """The mean over units of the mean of each, or over all values."""
    if averaging == "judgement":
        return mean(value for values in given.values() for value in values)
    return mean(mean(values) for values in given.values())


def only(given, units):
    return {unit: given[unit] for unit in given if unit in units}


def common_units(present, order):
    """The systems that are ranked, and the units that all of them have; `present` {system: set of units}."""
    inside = [name for name in order if present[name]]
    alone = len(inside) == 1

    def shares(names):
        every = set().union(*(present[name] for name in names))
        return [len(present[name]) / max(len(every), 1) for name in names]

    while len(inside) > 1 and min(shares(inside)) < LEAST:

        def left(name):
            rest = [other for other in inside if other != name]
            return round(sum(shares(rest)), 9), -len(present[name]), order.index(name)

        inside.remove(max(inside, key=left))
    if not inside or (len(inside) == 1 and not alone):
        return [], set()
    where = set.intersection(*(present[name] for name in inside))
    return (inside, where) if where else ([], set())


def fitted(own, sizes, compared, order):
    """The values that fit the differences of each two best, {} where comparisons link too little.

    Args:
        own: {system: number over all that is its own}.
        sizes: {system: how many sources it has}.
        compared: {(system, system): (difference, sources)} of the systems in `order`.
    """
    members = [name for name in order if name in sizes and sizes[name] >= 0.5 * max(sizes.values())]
    edges = {pair: of for pair, of in compared.items() if set(pair) <= set(members) and of[1] >= FEWEST}
    parts = []
    for member in members:
        reached, new = set(), {member}
        while new:
            reached |= new
            new = {other for pair in edges for other in pair if set(pair) & reached} - reached
        if reached not in parts:
            parts.append(reached)
    parts.sort(key=len)
    if not parts or len(parts[-1]) < 2 or (len(parts) > 1 and len(parts[-2]) == len(parts[-1])):
        return {}
    linked = [name for name in order if name in parts[-1]]
    rows = [(a, b, *of) for (a, b), of in edges.items() if {a, b} <= parts[-1]]
    design = np.array([[(name == a) - (name == b) for name in linked] for a, b, _, _ in rows], dtype=float)
    weights = np.sqrt([sources for *_, sources in rows])[:, None]
    values = np.linalg.pinv(design * weights) @ (weights[:, 0] * [difference for _, _, difference, _ in rows])
    values = values - values.mean() + mean(own[name] for name in linked)
    return dict(zip(linked, values.tolist(), strict=True))


def ranked(number, present, order, home):
    """{system: the number that orders it}, `number(system, units)` being one over some units.

    Over the units that all have; where that leaves out half or more, by the differences of each two over sources.
    """
    competing = [name for name in order if present[name]]
    inside, where = common_units(present, competing)
    if len(competing) > 1 and 2 * len(inside) <= len(competing):
        by_pairs = comparable(number, {name: present[name] for name in competing}, home)
        if len(by_pairs) > len(inside):
            return by_pairs
    return {name: number(name, where) for name in inside}


def comparable(number, present, home):
    """{system: the value that fits the differences of each two over the sources that both have}."""
    sources = {name: {home[unit] for unit in units} for name, units in present.items()}
    compared = {}
    for a, b in combinations(present, 2):
        if both := sources[a] & sources[b]:
            first, second = (number(name, {unit for unit in present[name] if home[unit] in both}) for name in (a, b))
            compared[a, b] = first - second, len(both)
    own = {name: number(name, units) for name, units in present.items()}
    return fitted(own, {name: len(of) for name, of in sources.items()}, compared, list(present))


def by_source(given, home, of_unit):
    """What is summed of each source's units."""
    sums = {}
    for unit, values in given.items():
        sums[home[unit]] = sums.get(home[unit], 0) + of_unit(values)
    return sums


def swapped(first, second, averaging, home):
    """The difference of two systems over the sources that both have, and after each possible swap: (2^sources,)."""
    both = sorted({home[unit] for unit in first} & {home[unit] for unit in second})
    if not both:
        return None, np.empty(0), 0
    flips = np.array(list(product([False, True], repeat=len(both))))
    sums, counts = (
        np.array([[by_source(given, home, of)[source] for source in both] for given in (first, second)], dtype=float)
        for of in ((sum, len) if averaging == "judgement" else (mean, lambda _: 1))
    )

    def number(mine, other):
        top = np.where(flips, sums[other], sums[mine]).sum(axis=1)
        return top / np.where(flips, counts[other], counts[mine]).sum(axis=1)

    differences = number(0, 1) - number(1, 0)
    return float(differences[0]), differences, len(both)


def exact_p(first, second, averaging, home):
    """The two-sided share of swaps as far from zero as what was observed; None where there is no test."""
    observed, differences, sources = swapped(first, second, averaging, home)
    if sources < FEWEST or np.abs(differences).max() < 1e-12:
        return None
    return float(np.mean(np.abs(differences) >= abs(observed) * (1 - 1e-9)))


def holm(values):
    """p after Holm's correction, None staying None."""
    order = sorted((value, place) for place, value in enumerate(values) if value is not None)
    corrected, least = list(values), 0.0
    for number, (value, place) in enumerate(order):
        least = max(least, min(1.0, value * (len(order) - number)))
        corrected[place] = least
    return corrected


def clusters(order, differ):
    """The number of each system's cluster: one ends where all so far differ from all below."""
    numbers, number = {}, 1
    for place, name in enumerate(order):
        if place and all(differ(above, below) for above in order[:place] for below in order[place:]):
            number += 1
        numbers[name] = number
    return numbers


def interval(rows, averaging):
    """The 95% interval of a mean of judgements [(unit, source, rater, value)], robust to clusters of two kinds."""
    values = {}
    for unit, _, _, value in rows:
        values.setdefault(unit, []).append(value)
    centre = averaged(values, averaging)
    weight = {unit: 1 / (len(rows) if averaging == "judgement" else len(values) * len(of))
              for unit, of in values.items()}  # fmt: skip
    moved = [(source, rater, number, weight[unit] * (value - centre))
             for number, (unit, source, rater, value) in enumerate(rows)]  # fmt: skip

    def variance(of):
        sums = {}
        for row in moved:
            sums[row[of]] = sums.get(row[of], 0.0) + row[3]
        many = len(sums)
        return (many / (many - 1) * sum(one * one for one in sums.values()) if many > 1 else 0), many

    (by_source, sources), (by_rater, raters), (by_row, _) = (variance(of) for of in range(3))
    if sources < 2:
        return None, None
    if raters < 2:
        whole, degrees = by_source, sources - 1
    else:
        whole = max(by_source + by_rater - by_row, by_source)
        shares = by_source**2 / (sources - 1) + by_rater**2 / (raters - 1)
        degrees = whole**2 / shares if shares > 0 else sources - 1
    reach = t.ppf(0.975, max(degrees, 1.0)) * whole**0.5
    return centre - reach, centre + reach
