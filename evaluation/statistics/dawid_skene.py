"""Dawid-Skene: the true label of each item, from raters who each confuse labels in their own way."""

import numpy as np

from evaluation.numerics import Floats, Labels
from evaluation.rater_labels import GivenLabels, Labelled, normalized, summed
from evaluation.statistics._base import LabelModel
from foundation.papers import Paper

STEPS = 2000
EXACT = 1e-9
LEAST = 1e-10  # of a chance, so that its logarithm is finite


def infer(raters: Labels, items: Labels, labels: Labels) -> Labelled:
    """By expectation-maximization from the shares of each item's judgements.

    A rater's skill is the chance that they give the true label, over labels as often as they are true.

    Args:
        raters: (n_judgements,) who judged.
        items: (n_judgements,) what was judged.
        labels: (n_judgements,) the label that was given.

    Raises:
        ValueError: lengths differ.
    """
    given = GivenLabels.read(raters, items, labels)
    if why := given.unusable():
        return Labelled.none(why)
    chances = given.shares()
    for _ in range(STEPS):
        priors, confused = _maximized(given, chances)
        logs = np.log(np.maximum(priors, LEAST)) + summed(
            given.what, np.log(confused)[given.who, given.which], len(chances)
        )
        before, chances = chances, normalized(logs)
        if np.max(np.abs(chances - before)) < EXACT:
            break
    priors, confused = _maximized(given, chances)
    return Labelled.of(given, chances, np.einsum("rll,l->r", confused, priors))


def _maximized(given: GivenLabels, chances: Floats) -> tuple[Floats, Floats]:
    """How often each label is true, (n_labels,), and how often each rater gives a label where another is true.

    The latter is (n_raters, n_labels given, n_labels true).
    """
    people, _, width = given.shape
    counts = summed(given.who * width + given.which, chances[given.what], people * width)
    counts = np.maximum(counts, LEAST).reshape(people, width, width)
    return chances.mean(axis=0), counts / counts.sum(axis=1, keepdims=True)


STATISTIC = LabelModel(
    label="Dawid-Skene",
    paper=Paper(
        "Dawid and Skene",
        1979,
        "Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm",
        "https://doi.org/10.2307/2346806",
    ),
    skill="chance of the true label",
    infer=infer,
)
