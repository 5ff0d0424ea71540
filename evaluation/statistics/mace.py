"""MACE: the true label of each item, from raters who know it or guess, each with labels of their own choice."""

import numpy as np

from evaluation.numerics import Floats, Labels
from evaluation.rater_labels import GivenLabels, Labelled, normalized, summed
from evaluation.statistics._base import LabelModel
from foundation.lazy_import import lazy_import
from foundation.papers import Paper

special = lazy_import("scipy.special")

STEPS = 2000
EXACT = 1e-9
KNOWS = 0.5  # of the Beta prior of guessing and of knowing
CHOICE = 10.0  # of the Dirichlet prior of what a rater guesses


def infer(raters: Labels, items: Labels, labels: Labels) -> Labelled:
    """By variational Bayes with the priors of the paper, from raters who guess every label half of the time.

    A rater's skill is the competence: the chance that they know the label rather than guess it.

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
    people, _, width = given.shape
    knows, guesses = np.full((people, 2), 0.5), np.full((people, width), 1 / width)
    chances = given.shares()
    for _ in range(STEPS):
        before, (chances, guessed) = chances, _expected(given, knows, guesses)
        if np.max(np.abs(chances - before)) < EXACT:
            break
        counts = np.asarray(np.bincount(given.who * width + given.which, guessed, people * width), dtype=np.float64)
        counts = counts.reshape(people, width)
        known = np.bincount(given.who, 1 - guessed, people)
        knows = _varied(np.column_stack((counts.sum(axis=1), known)), KNOWS)
        guesses = _varied(counts, CHOICE)
    return Labelled.of(given, chances, knows[:, 1] / knows.sum(axis=1))


def _expected(given: GivenLabels, knows: Floats, guesses: Floats) -> tuple[Floats, Floats]:
    """Each label's chance at each item, (n_items, n_labels), and that each judgement is a guess, (n_judgements,)."""
    guess, know = (knows[given.who, 0] * guesses[given.who, given.which]), knows[given.who, 1]
    alike = given.which[:, None] == np.arange(len(given.labels))
    logs = summed(given.what, np.log(guess[:, None] + know[:, None] * alike), len(given.items))
    chances = normalized(logs)
    right = chances[given.what, given.which]
    return chances, 1 - right * know / (guess + know)


def _varied(counts: Floats, prior: float) -> Floats:
    """The geometric means of rows of shares (n, k) with such counts and a symmetric prior; they sum to less than 1."""
    digamma = special.digamma
    return np.asarray(np.exp(digamma(counts + prior) - digamma((counts + prior).sum(axis=1))[:, None]))


STATISTIC = LabelModel(
    label="MACE",
    paper=Paper(
        "Hovy, Berg-Kirkpatrick, Vaswani and Hovy", 2013, "Learning Whom to Trust with MACE",
        "https://aclanthology.org/N13-1132/",
    ),
    skill="competence",
    infer=infer,
)  # fmt: skip
