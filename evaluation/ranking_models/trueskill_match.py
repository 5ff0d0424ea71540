"""One match of TrueSkill among single players: expectation propagation along the chain of neighbours (Herbrich 2006).

Messages are normal curves as (precision, precision times mean). Each two neighbours in the order have a difference of
performances, which is known to be above the draw margin, or within it where they tie.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import erfc, exp, pi, sqrt
from typing import TypeAlias

Skill: TypeAlias = tuple[float, float]
"""Mean and variance."""
Message: TypeAlias = tuple[float, float]

SWEEPS = 100
SETTLED = 1e-6  # of the means of messages, in units of a performance's deviation
NOTHING: Message = (0.0, 0.0)


def rate_match(skills: Sequence[Skill], places: Sequence[float], margin: float, beta: float) -> list[Skill]:
    """The skills of the players (m,) of one match after it; `places` (m,) in ascending order, equal ones a draw.

    `margin` is how far apart the performances of a draw may be, `beta` the deviation of a performance from the skill.
    """
    priors = [_message(mean, variance + beta * beta) for mean, variance in skills]
    are_draws = [first == second for first, second in pairwise(places)]
    left, right = _settle(priors, are_draws, margin)
    rated = []
    for (mean, variance), below, above in zip(skills, [*left, NOTHING], [NOTHING, *right], strict=True):
        precision, weighted = below[0] + above[0], below[1] + above[1]
        known = 1 / (1 / precision + beta * beta)
        total = 1 / variance + known
        rated.append(((mean / variance + known * weighted / precision) / total, 1 / total))
    return rated


def _settle(priors: list[Message], are_draws: list[bool], margin: float) -> tuple[list[Message], list[Message]]:
    """What each difference says about the player before it and the one after it, (m - 1) each."""
    last = len(are_draws)
    left, right = [NOTHING] * last, [NOTHING] * last
    for _ in range(SWEEPS):
        moved = 0.0
        for pair in [*range(last), *range(last - 1, -1, -1)]:
            first = _times(priors[pair], right[pair - 1] if pair else NOTHING)
            second = _times(priors[pair + 1], left[pair + 1] if pair + 1 < last else NOTHING)
            up, down = _difference(first, second, are_draws[pair], margin)
            moved = max(moved, _moved(left[pair], up), _moved(right[pair], down))
            left[pair], right[pair] = up, down
        if last == 1 or moved < SETTLED:
            break
    return left, right


def _difference(first: Message, second: Message, draw: bool, margin: float) -> tuple[Message, Message]:
    """Messages to both from what is known of their difference."""
    mean_first, mean_second = first[1] / first[0], second[1] / second[0]
    var_first, var_second = 1 / first[0], 1 / second[0]
    mean, variance = mean_first - mean_second, var_first + var_second
    deviation = sqrt(variance)
    v, w = (_within if draw else _above)(mean / deviation, margin / deviation)
    if w < 1e-15:  # nothing is learnt
        return NOTHING, NOTHING
    learnt_variance = variance * (1 - w) / w
    learnt_mean = mean + deviation * v / w
    up = _message(learnt_mean + mean_second, learnt_variance + var_second)
    down = _message(mean_first - learnt_mean, learnt_variance + var_first)
    return up, down


def _above(mean: float, margin: float) -> tuple[float, float]:
    """Of a normal curve at `mean` cut off below `margin`: the shift of its mean, the part of its variance that goes."""
    x = mean - margin
    part = erfc(-x / sqrt(2)) / 2
    if part < 1e-200:
        return -x - 1 / x, 1 - 1 / (x * x)
    v = exp(-x * x / 2) / sqrt(2 * pi) / part
    return v, min(v * (v + x), 1 - 1e-12)


def _within(mean: float, margin: float) -> tuple[float, float]:
    """The same, cut off outside -margin to margin."""
    high, low = margin - abs(mean), -margin - abs(mean)
    part = (erfc(-high / sqrt(2)) - erfc(-low / sqrt(2))) / 2
    if part < 1e-200:
        return (high if mean >= 0 else -high), 1 - 1e-12
    dense_high, dense_low = (exp(-x * x / 2) / sqrt(2 * pi) for x in (high, low))
    v = (dense_low - dense_high) / part
    w = v * v + (high * dense_high - low * dense_low) / part
    return (v if mean >= 0 else -v), min(w, 1 - 1e-12)


def _message(mean: float, variance: float) -> Message:
    return 1 / variance, mean / variance


def _times(first: Message, second: Message) -> Message:
    return first[0] + second[0], first[1] + second[1]


def _moved(old: Message, new: Message) -> float:
    """How far a message's mean went, in its own deviations; all the way where there was none."""
    if not (old[0] and new[0]):
        return float(old != new)
    return abs(old[1] / old[0] - new[1] / new[0]) * sqrt(new[0]) + abs(old[0] - new[0]) / new[0]
