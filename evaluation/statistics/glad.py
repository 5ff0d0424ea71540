"""GLAD: the true label of each item, from raters of different ability and items of different difficulty."""

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics import Floats, Labels
from evaluation.rater_labels import GivenLabels, Labelled, normalized, summed
from evaluation.statistics._base import LabelModel
from foundation.lazy_import import lazy_import
from foundation.papers import Paper

optimize, special = lazy_import("scipy.optimize"), lazy_import("scipy.special")

STEPS = 500
EXACT = 1e-7


def infer(raters: Labels, items: Labels, labels: Labels) -> Labelled:
    """A rater of ability a gives the true label of an item of ease b with the chance 1 / (1 + exp(-a exp(b))).

    Abilities and eases have normal priors with mean 1 and deviation 1, as in the paper; their most likely values are
    found at once, by the gradient of all items' likelihood. A rater's skill is the ability; one below 0 is against the
    others.

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
    people, things, _ = given.shape
    found = optimize.minimize(
        lambda point: _loss(given, point), np.ones(people + things), jac=True, method="L-BFGS-B",
        options={"maxiter": STEPS, "gtol": EXACT, "ftol": 1e-15},
    )  # fmt: skip
    ability, ease = found.x[:people], found.x[people:]
    chances, _ = _chances(given, ability[given.who] * np.exp(ease[given.what]))
    return Labelled.of(given, chances, ability)


def _chances(given: GivenLabels, sure: Floats) -> tuple[Floats, Floats]:
    """Each label's chance at each item, and the items' log likelihoods; `sure` is (n_judgements,)."""
    others = special.log_expit(-sure) - np.log(len(given.labels) - 1)
    alike = given.which[:, None] == np.arange(len(given.labels))
    logs = summed(given.what, np.where(alike, special.log_expit(sure)[:, None], others[:, None]), len(given.items))
    return normalized(logs), np.asarray(special.logsumexp(logs, axis=1))


def _loss(given: GivenLabels, point: NDArray[np.float64]) -> tuple[float, Floats]:
    """The negative log posterior of abilities and eases (n_raters + n_items,), and its gradient."""
    people, things, _ = given.shape
    ability, eased = point[:people][given.who], np.exp(point[people:])[given.what]
    chances, likelihoods = _chances(given, ability * eased)
    apart = chances[given.what, given.which] - special.expit(ability * eased)
    prior = point - 1
    gradient = -np.concatenate((
        np.bincount(given.who, apart * eased, people), np.bincount(given.what, apart * ability * eased, things)
    ))  # fmt: skip
    return float(np.sum(prior**2) / 2 - likelihoods.sum()), gradient + prior


STATISTIC = LabelModel(
    label="GLAD",
    paper=Paper(
        "Whitehill et al.",
        2009,
        "Whose Vote Should Count More: Optimal Integration of Labels from Labelers of Unknown Expertise",
        "https://papers.nips.cc/paper/2009/hash/f899139df5e1059396431415e770c6dd-Abstract.html",
    ),
    skill="ability",
    infer=infer,
)
