"""Code of the metrics that learn a score from texts which people rated."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from evaluation.learned_scorers.cross_fitting import FOLDS, fold_of, single_spaced
from evaluation.learned_scorers.training_material import Floats, TrainingMaterial

RatedTexts = Sequence[tuple[str, float]]
Regressor = Callable[[Sequence[str]], Floats]
TrainRegressor = Callable[[Sequence[str], Sequence[float]], Regressor]


def cross_fitted_scores(
    outputs: Sequence[str], rated: RatedTexts, material: TrainingMaterial, key: tuple[Any, ...], train: TrainRegressor
) -> tuple[Floats, dict[str, float]]:
    """Score outputs by regressors of ratings; a text that was rated is judged by one that did not see its fold.

    Args:
        outputs: The n outputs.
        rated: The texts with their ratings.
        material: Remembers the regressors, for all systems of a run.
        key: Names the regressor and its settings.
        train: Trains a regressor on texts and their ratings.

    Returns:
        Scores (n,), and details: Spearman's rho with the ratings by cross-validation, and how many texts were rated.
    """
    regressors = _Regressors(rated, material, key, train)
    seen = material.remember((*key, "seen"), lambda: {single_spaced(text) for text, _ in rated})
    scores = regressors.score(outputs, [fold_of(text) if single_spaced(text) in seen else None for text in outputs])
    return scores, material.remember((*key, "agreement"), regressors.agreement)


class _Regressors:
    """Trained when they are asked for: on all ratings, and without a fold of them."""

    def __init__(
        self, rated: RatedTexts, material: TrainingMaterial, key: tuple[Any, ...], train: TrainRegressor
    ) -> None:
        self.rated, self.material, self.key, self.train = rated, material, key, train

    def score(self, texts: Sequence[str], folds: Sequence[int | None]) -> Floats:
        scores = np.zeros(len(texts))
        for fold in sorted(set(folds), key=lambda each: -1 if each is None else each):
            places = [i for i, each in enumerate(folds) if each == fold]
            regressor = self.material.remember((*self.key, fold), partial(self._trained, fold))
            scores[places] = regressor([texts[i] for i in places])
        return scores

    def agreement(self) -> dict[str, float]:
        """Spearman's rho by cross-validation; none where a side is constant."""
        from scipy.stats import spearmanr

        texts, labels = [text for text, _ in self.rated], np.array([label for _, label in self.rated])
        predicted = self.score(texts, [fold_of(text) for text in texts])
        about = {"rated_texts": float(len(texts))}
        if np.ptp(labels) == 0 or np.ptp(predicted) == 0:
            return about
        return about | {"spearman_held_out": float(spearmanr(predicted, labels)[0])}

    def _trained(self, fold: int | None) -> Regressor:
        chosen = [rated_text for rated_text in self.rated if fold is None or fold_of(rated_text[0], FOLDS) != fold]
        return self.train([text for text, _ in chosen], [label for _, label in chosen])
