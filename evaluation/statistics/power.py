"""The difference between two systems that a human study can find, by simulation on its scale (Card et al. 2020)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from evaluation.numerics import FEWEST, Floats
from evaluation.rating_simulation import (
    RatingScale,
    SimulatedStudies,
    T,
    VarianceComponents,
    least_p,
    scale_of,
    simulated_p,
)
from evaluation.significance import draws_for
from evaluation.statistics._base import Method
from foundation.papers import Paper

CELLS = 3_000_000  # simulated judgements of a system
STUDIES = (300, 2000)  # simulated studies, the fewest and the most
LARGEST = 10_000  # judgements of a system in a simulated study; a larger study follows by the root of its size
FARTHEST = 8.0  # standard deviations of the latent rating
HALVINGS = 9
CURVE = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)  # parts of the difference at which the curve is stated


@dataclass(frozen=True)
class Power:
    """`difference`, in points of the scale, is found with the asked-for power; `curve` holds (difference, power).

    `settings` are all its settings, those that were assumed among them, and the error of a simulated power.
    """

    difference: float | None
    curve: list[tuple[float, float]] = field(default_factory=list)
    settings: dict[str, object] = field(default_factory=dict)
    undefined: str = ""


def detectable(
    sentences: int,
    judgements: int,
    levels: Sequence[float] = (),
    mean: float | None = None,
    sd: float | None = None,
    ratings: Sequence[float] = (),
    sentence_part: float = 0.25,
    output_part: float = 0.25,
    rater_part: float = 0.2,
    same_raters: bool = True,
    alpha: float = 0.05,
    power: float = 0.8,
    seed: int = 0,
    test: str = T,
    comparisons: int = 1,
    draws: int | None = None,
) -> Power:
    """The difference of two systems' mean ratings that `sentences` x `judgements` of each would find.

    A latent rating is a normal, of whose variance the sentence, the output and the rater have shares; it is cut into
    `levels`. A study finds a difference where the paired test over sentences has p < alpha, two-sided, after a
    correction over all comparisons in which this difference alone is one (Bonferroni's, Holm's first step, Benjamini
    and Hochberg's of one).

    Args:
        sentences: The number of sentences of the study.
        judgements: The number of judgements of each output.
        levels: The values of the scale. Without them it is continuous.
        mean: The mean of the ratings. By default it is the middle of the scale.
        sd: Their standard deviation. By default it is a quarter of the scale's width.
        ratings: The ratings of a pilot, (n_ratings,). Their distribution replaces a normal of `mean` and `sd`.
        sentence_part: The sentence's share of the variance. The shares are 1 together at most.
        output_part: The output's.
        rater_part: The rater's.
        same_raters: Whether one person rates both outputs of a sentence.
        alpha: The level of the test.
        power: How often the difference is to be found. It is a share of studies.
        seed: The seed of the simulated studies.
        test: The paired test's name, or "t".
        comparisons: The number of comparisons that its p is corrected over. It is 1 without a correction.
        draws: The resamples of a resampling test. By default they are as many as the report will take (`draws_for`).

    Raises:
        ValueError: a share is below 0, or they are more than 1 together.
    """
    parts = VarianceComponents(sentence_part, output_part, rater_part)
    if min(sentence_part, output_part, rater_part) < 0 or sentence_part + output_part + rater_part > 1 + 1e-9:
        raise ValueError("The parts of the variance are none below 0 and 1 in all at most.")
    if len(levels) > 1:
        mean = (min(levels) + max(levels)) / 2 if mean is None else mean
        sd = (max(levels) - min(levels)) / 4 if sd is None else sd
    why = _impossible(sentences, judgements, levels, mean, sd, ratings)
    draws = draws_for(comparisons, alpha) if draws is None else draws
    if why := why or _unreachable(sentences, test, comparisons, draws, alpha):
        return Power(None, undefined=why)
    scale = scale_of(levels, mean, sd, ratings)
    simulated = max(FEWEST, min(sentences, LARGEST // judgements))
    studies = int(np.clip(CELLS // (simulated * judgements), *STUDIES))
    search = _Search(
        SimulatedStudies((studies, simulated, judgements), parts, same_raters, seed),
        scale,
        _Found(test, alpha / comparisons, draws, seed),
    )
    settings = {
        "sentences": sentences,
        "judgements": judgements,
        "levels": [float(level) for level in levels],
        "mean": mean if not len(ratings) else float(np.mean(ratings)),
        "sd": sd if not len(ratings) else float(np.std(ratings, ddof=1)),
        "pilot_ratings": len(ratings),
        "sentence_part": sentence_part,
        "output_part": output_part,
        "rater_part": rater_part,
        "same_raters": same_raters,
        "alpha": alpha,
        "power": power,
        "seed": seed,
        "test": test,
        "comparisons": comparisons,
        "draws": draws,
        "studies": studies,
        "error": round(sqrt(power * (1 - power) / studies), 4),
    }
    shift = search.least(power)
    if shift is None:
        why = f"Not even the largest difference on this scale is found with a power of {power:g}."
        return Power(None, [], settings, why)
    smaller = sqrt(simulated / sentences)
    curve = [(scale.difference(part * shift) * smaller, search.power(part * shift)) for part in CURVE]
    return Power(scale.difference(shift) * smaller, curve, settings)


@dataclass(frozen=True)
class _Found:
    """The conditions on which a simulated study finds the difference."""

    test: str
    level: float
    draws: int
    seed: int

    def share(self, differences: Floats) -> float:
        return float(np.mean(simulated_p(self.test, differences, self.draws, self.seed) < self.level))


class _Search:
    """The power at a shift of the latent ratings, over the same simulated studies for every shift."""

    def __init__(self, studies: SimulatedStudies, scale: RatingScale, found: _Found) -> None:
        self.studies, self.scale, self.found = studies, scale, found
        self.known: dict[float, float] = {}

    def power(self, shift: float) -> float:
        if shift not in self.known:
            self.known[shift] = self.found.share(self.studies.differences(self.scale, shift))
        return self.known[shift]

    def least(self, power: float) -> float | None:
        """The smallest shift with this power: doubled until it has it, then halved in between."""
        low, high = 0.0, 0.05
        while self.power(high) < power:
            if high >= FARTHEST:
                return None
            low, high = high, min(FARTHEST, 2 * high)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.power(middle) >= power else (middle, high)
        return high


def _unreachable(sentences: int, test: str, comparisons: int, draws: int, alpha: float) -> str:
    """Why no difference could be found, however large: the test has no p so small."""
    least = least_p(test, sentences, draws)
    if least * comparisons < alpha:
        return ""
    more = f" times {comparisons} comparisons" if comparisons > 1 else ""
    if least > 1 / (draws + 1):
        return (
            f"No difference could ever be significant: with {sentences} sentences the least p is {least:.2g}{more}, "
            f"which is not below {alpha:g}. Take more sentences, or compare fewer systems."
        )
    return (
        f"No difference could ever be significant: {draws:,} draws tell no p below {least:.2g}{more}, which is not "
        f"below {alpha:g}. Compare fewer systems, or take the Wilcoxon signed-rank test."
    )


def _impossible(
    sentences: int,
    judgements: int,
    levels: Sequence[float],
    mean: float | None,
    sd: float | None,
    ratings: Sequence[float],
) -> str:
    if sentences < FEWEST:
        return f"A study that compares systems has {FEWEST} sentences or more; this has {sentences}."
    if judgements < 1:
        return "There is no judgement an output."
    if len(levels) and len(set(levels)) < 2:
        return "The scale has one level: no difference shows on it."
    if len(ratings):
        if len(set(ratings)) < 2:
            return "All pilot ratings are the same: they do not say how ratings spread."
        return ""
    if mean is None or sd is None:
        return "A scale without levels needs a mean and a standard deviation, or a pilot's ratings."
    return "" if sd > 0 else "The standard deviation is not above 0: ratings would not spread."


STATISTIC = Method(
    label="Detectable difference",
    paper=Paper(
        "Card et al.",
        2020,
        "With little power comes great responsibility",
        "https://aclanthology.org/2020.emnlp-main.745/",
    ),
    call=detectable,
)
