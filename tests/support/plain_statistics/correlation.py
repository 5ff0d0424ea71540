"""Coefficients of correlation written straight from their definitions, point by point; NaN where there is none."""

from math import nan, sqrt


def mean(values):
    return sum(values) / len(values)


def pearson(x, y):
    if len(set(x)) < 2 or len(set(y)) < 2:
        return nan
    a, b = ([value - mean(values) for value in values] for values in (x, y))
    product = sum(u * v for u, v in zip(a, b, strict=True))
    return product / sqrt(sum(u * u for u in a) * sum(v * v for v in b))


def mid_rank(value, values):
    """How many stand below, and half of those that are equal."""
    return sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2


def spearman(x, y):
    return pearson([mid_rank(value, x) for value in x], [mid_rank(value, y) for value in y])


def sign(value):
    return int(value > 0) - int(value < 0)


def concordance(x, y):
    """Of each point with how many others it is concordant, less with how many discordant."""
    return [
        sum(sign(a - other_a) * sign(b - other_b) for other_a, other_b in zip(x, y, strict=True))
        for a, b in zip(x, y, strict=True)
    ]


def kendall(x, y):
    untied_x, untied_y = sum(map(abs, concordance(x, x))), sum(map(abs, concordance(y, y)))
    return sum(concordance(x, y)) / sqrt(untied_x * untied_y) if untied_x and untied_y else nan


COEFFICIENTS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}
