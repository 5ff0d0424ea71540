"""Sums of the ratio distance ((a - b) / (a + b))^2 over all pairs of many values, in time that grows with values alone.

With d = log a - log b the distance is tanh(d/2)^2 = 1 - 4 K(d), where K(d) = 1 / (4 cosh(d/2)^2) has the Fourier
transform pi w / sinh(pi w). That falls so fast that a short sum of cosines gives K, and so the pairs' sum, to 12
digits: sums of 1 - cos(w (x - y)) over pairs need only each value's own sine and cosine.
"""

import numpy as np

from evaluation.numerics import Floats

HIGHEST = 10.5  # frequency beyond which the transform is below 1e-13
APART = 30.0  # copies of K are this far beyond the widest pair, where K is 1e-13
DENSE = 1500  # values up to which the pairs are simply written out
CELLS = 1_000_000  # distances in hand at a time


def distance(a: Floats, b: Floats) -> Floats:
    """((a - b) / (a + b)) squared; two zeros are 0 apart."""
    total = a + b
    return np.asarray(np.divide(a - b, total, out=np.zeros_like(total), where=total != 0) ** 2)


def spread(values: Floats) -> float:
    """The distances of all ordered pairs of values (n,), of zero or more, summed."""
    distinct, times = np.unique(values, return_counts=True)
    weights = times.astype(np.float64)
    if len(distinct) <= DENSE:
        return _written_out(distinct, weights)
    above = distinct > 0
    zeros, others = float(weights[~above].sum()), float(weights[above].sum())
    return 2 * zeros * others + _by_waves(np.log(distinct[above]), weights[above])


def _written_out(values: Floats, weights: Floats) -> float:
    rows = max(1, CELLS // len(values))
    parts = (slice(start, start + rows) for start in range(0, len(values), rows))
    return sum(float(weights[part] @ distance(values[part, None], values) @ weights) for part in parts)


def _by_waves(logs: Floats, weights: Floats) -> float:
    """Over pairs, w_i w_j (1 - cos(f d)) is 2 W C - C^2 - S^2, with C of 2 sin(f x / 2)^2 and S of sin(f x).

    About the mean, C is small where the values are close, and no digits are lost. Each frequency's sines come from the
    last one's by the angles' sum, which is quicker than asking for them anew.
    """
    total = weights.sum()
    x = logs - weights @ logs / total
    step = 2 * np.pi / (np.ptp(x) + APART)
    total_distance = 0.0
    sine, cosine = first_sine, first_cosine = np.sin(step / 2 * x), np.cos(step / 2 * x)
    for frequency in np.arange(step, HIGHEST, step):
        weighted = weights * sine
        cosines, sines = (2 * float(np.einsum("n,n->", weighted, wave)) for wave in (sine, cosine))
        height = np.pi * frequency / np.sinh(np.pi * frequency)
        total_distance += height * (2 * total * cosines - cosines**2 - sines**2)
        sine, cosine = sine * first_cosine + cosine * first_sine, cosine * first_cosine - sine * first_sine
    return float(4 * step / np.pi * total_distance)
