"""A reward model: Bradley and Terry's (1952) over features of a source and a rewrite, trained on people's preferences.

The probability that people prefer one rewrite of a source to another is the sigmoid of the difference of their rewards,
and a reward is linear in the features. The sources are cut into folds: a rewrite of a judged source is scored by a
model that saw no judgement of that source's fold.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from evaluation.learned_scorers.cross_fitting import FOLDS, fold_of, single_spaced
from evaluation.learned_scorers.training_material import Floats, PreferredPair, TrainingMaterial
from evaluation.numerics import wilson

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Features: TypeAlias = "Callable[[Sequence[str], Sequence[str]], csr_matrix]"
"""One row for each source with its rewrite, (n, width)."""
ENDS = tuple(".!?。！？…")


def text_features(sources: Sequence[str], rewrites: Sequence[str]) -> "csr_matrix":
    """Hashed words and characters of the rewrites, and numbers of how each stands to its source, (n, width)."""
    from scipy.sparse import csr_matrix, hstack

    from corpora.knowledge.formality_features import matrix

    beside = np.array([_beside(*pair) for pair in zip(sources, rewrites, strict=True)], dtype=np.float64)
    return hstack([matrix(rewrites), csr_matrix(beside.reshape(len(rewrites), -1))], format="csr")


def _beside(source: str, rewrite: str) -> list[float]:
    """Length, edits, shared and new words, a copy, runs that come twice, and how it begins and ends; from -1 to 1."""
    from rapidfuzz.distance import Levenshtein

    told, said = source.casefold().split(), rewrite.casefold().split()
    longer = float(np.clip(np.log((1 + len(rewrite)) / (1 + len(source))), -1, 1))
    runs = list(pairwise(said))
    return [
        longer,
        abs(longer),
        Levenshtein.normalized_distance(source, rewrite),
        len({*told} & {*said}) / max(1, len({*told})),
        len({*said} - {*told}) / max(1, len({*said})),
        float(single_spaced(source) == single_spaced(rewrite)),
        1 - len({*runs}) / max(1, len(runs)),
        float(rewrite[:1].isupper()),
        float(rewrite.rstrip().endswith(ENDS)),
        float(not rewrite.strip()),
    ]


class RewardModel:
    """Weights (width,) of the features. `pairs` are weighted by their margins; `strength` is the inverse of L2's."""

    def __init__(self, pairs: Sequence[PreferredPair], features: Features, strength: float) -> None:
        from scipy.sparse import vstack
        from sklearn.linear_model import LogisticRegression

        self.features = features
        ahead = self._differences(pairs)
        margins = np.array([pair[3] for pair in pairs])
        fitted = LogisticRegression(C=strength, fit_intercept=False, max_iter=1_000, tol=1e-8)
        # A pair either way round, half a pair each: the likelihood is that of the pair.
        fitted.fit(vstack([ahead, -ahead]), np.repeat([1, 0], len(pairs)), np.tile(margins / 2, 2))
        self.weights: Floats = fitted.coef_[0]

    def _differences(self, pairs: Sequence[PreferredPair]) -> Any:
        sources = [pair[0] for pair in pairs]
        return self.features(sources, [pair[1] for pair in pairs]) - self.features(sources, [pair[2] for pair in pairs])

    def rewards(self, sources: Sequence[str], rewrites: Sequence[str]) -> Floats:
        """The log-odds that people prefer each rewrite to its source as it stands, (n,)."""
        ahead: Any = self.features(sources, rewrites) - self.features(sources, sources)
        return np.asarray(ahead @ self.weights, dtype=np.float64)

    def ahead(self, pairs: Sequence[PreferredPair]) -> Floats:
        """The log-odds of each pair's first text, (n,)."""
        return np.asarray(self._differences(pairs) @ self.weights, dtype=np.float64)


class CrossFitted:
    """The models of some pairs: one of all, and one without each fold of the sources, each trained when asked for."""

    def __init__(
        self, pairs: Sequence[PreferredPair], material: TrainingMaterial, key: tuple[Any, ...], features: Features,
        strength: float,
    ) -> None:  # fmt: skip
        self.pairs, self.material, self.key = pairs, material, key
        self.features, self.strength = features, strength

    def model(self, fold: int | None) -> RewardModel:
        return self.material.remember((*self.key, fold), partial(self._trained, fold))

    def _trained(self, fold: int | None) -> RewardModel:
        pairs = [pair for pair in self.pairs if fold is None or fold_of(pair[0]) != fold]
        return RewardModel(pairs, self.features, self.strength)

    def rewards(self, sources: Sequence[str], rewrites: Sequence[str]) -> Floats:
        """The reward of each rewrite, (n,), by a model that saw no judgement of its source."""
        judged = {single_spaced(pair[0]) for pair in self.pairs}
        folds = [fold_of(source) if single_spaced(source) in judged else None for source in sources]
        found = np.zeros(len(sources))
        for fold in sorted(set(folds), key=lambda one: -1 if one is None else one):
            places = [place for place, one in enumerate(folds) if one == fold]
            chosen = ([texts[place] for place in places] for texts in (sources, rewrites))
            found[places] = self.model(fold).rewards(*chosen)
        return found

    def agreement(self) -> dict[str, float]:
        """The share of the pairs that models which did not see their source order as people do, with its interval.

        A pair without any difference counts half. The interval is Wilson's of 95%, with the judged sources as its n:
        pairs of one source are not independent.
        """
        right = np.zeros(len(self.pairs))
        for fold in range(FOLDS):
            places = [place for place, pair in enumerate(self.pairs) if fold_of(pair[0]) == fold]
            if places:
                right[places] = 0.5 + 0.5 * np.sign(self.model(fold).ahead([self.pairs[place] for place in places]))
        sources = len({single_spaced(pair[0]) for pair in self.pairs})
        share = float(right.mean())
        low, high = wilson(share, sources)
        return {
            "pairs": float(len(self.pairs)), "judged_sources": float(sources), "agreement_held_out": share,
            "agreement_low": low, "agreement_high": high,
        }  # fmt: skip
