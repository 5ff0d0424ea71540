"""Agreement of raters written straight from its definitions, in exact fractions: slow, and easy to check by eye.

A table is a row a rater and a column an item, whole numbers, None where the rater did not judge the item. None is
answered where the definition divides by zero.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations


def by_item(table):
    """The values that each item got."""
    return [[value for value in item if value is not None] for item in zip(*table, strict=True)]


def squared_distance(level, values):
    """The distance of two values at a level of measurement, `values` being all that can be paired."""
    times = Counter(values)

    def ordinal(a, b):
        low, high = min(a, b), max(a, b)
        between = sum(count for value, count in times.items() if low <= value <= high)
        return (between - Fraction(times[a] + times[b], 2)) ** 2 if a != b else Fraction(0)

    return {
        "nominal": lambda a, b: Fraction(a != b),
        "ordinal": ordinal,
        "interval": lambda a, b: Fraction(a - b) ** 2,
        "ratio": lambda a, b: Fraction(a - b, a + b) ** 2 if a + b else Fraction(0),
    }[level]


def alpha(items, level):
    """Krippendorff's alpha of the values of each item."""
    items = [values for values in items if len(values) > 1]
    paired = [value for values in items for value in values]
    distance = squared_distance(level, paired)
    n = len(paired)
    if n == 0:
        return None
    within = sum(
        sum(distance(a, b) for a, b in permutations(values, 2)) / Fraction(len(values) - 1) for values in items
    )
    between = sum(distance(a, b) for a, b in permutations(paired, 2)) / Fraction(n - 1)
    return 1 - within / between if between else None


def kappa(table, weight):
    """Cohen's kappa with the disagreement `weight(u - v)`; of more raters the mean over pairs that have one."""
    kappas = [
        value for first, second in combinations(table, 2) if (value := _of_two(first, second, weight)) is not None
    ]
    return sum(kappas) / Fraction(len(kappas)) if kappas else None


def _of_two(first, second, weight):
    shared = [(u, v) for u, v in zip(first, second, strict=True) if u is not None and v is not None]
    if not shared:
        return None
    observed = Fraction(sum(weight(u - v) for u, v in shared), len(shared))
    expected = Fraction(sum(weight(u - v) for u, _ in shared for _, v in shared), len(shared) ** 2)
    return 1 - observed / expected if expected else None


def usual_items(items):
    """The items with the most usual number of judgements, of two or more; of equally usual numbers the largest."""
    counts = Counter(len(values) for values in items if len(values) > 1)
    usual = max(counts, key=lambda number: (counts[number], number)) if counts else 0
    return [values for values in items if len(values) == usual and usual > 1]


def fleiss(table):
    """Fleiss' kappa over the items with the most usual number of judgements."""
    items = usual_items(by_item(table))
    if not items:
        return None
    equal = [
        Fraction(sum(a == b for a, b in permutations(values, 2)), len(values) * (len(values) - 1)) for values in items
    ]
    shares = Counter(value for values in items for value in values)
    total = sum(shares.values())
    chance = sum(Fraction(count, total) ** 2 for count in shares.values())
    return (sum(equal) / Fraction(len(items)) - chance) / (1 - chance) if chance != 1 else None


def icc(rows, form, average):
    """McGraw and Wong's forms of items x judgements, from sums of squares about means."""
    n, k = len(rows), len(rows[0])
    grand = Fraction(sum(map(sum, rows)), n * k)
    item_means = [Fraction(sum(row), k) for row in rows]
    rater_means = [Fraction(sum(column), n) for column in zip(*rows, strict=True)]
    items = k * sum((mean - grand) ** 2 for mean in item_means) / (n - 1)
    raters = n * sum((mean - grand) ** 2 for mean in rater_means) / (k - 1)
    if form == "1":
        rest = sum((value - mean) ** 2 for row, mean in zip(rows, item_means, strict=True) for value in row)
        rest /= n * (k - 1)
    else:
        rest = sum(
            (value - mean - rater + grand) ** 2
            for row, mean in zip(rows, item_means, strict=True)
            for value, rater in zip(row, rater_means, strict=True)
        ) / ((n - 1) * (k - 1))
    if average:
        whole = items + (raters - rest) / n if form == "A" else items
    else:
        whole = items + (k - 1) * rest + (k * (raters - rest) / n if form == "A" else 0)
    return (items - rest) / whole if whole > 0 and not (average and items == 0) else None
