"""A ridge regression of what people gave texts on numbers that describe them."""

from collections.abc import Sequence

import numpy as np

from evaluation.learned_scorers.rating_regression import Regressor

PENALTY = 5.0


def train_ridge(texts: Sequence[str], labels: Sequence[float], signs_of: Regressor) -> Regressor:
    """Fit a ridge regression on standardized signs.

    Args:
        texts: The n texts to train on.
        labels: What people gave them (n,).
        signs_of: Texts to their signs (n, k); each column is brought to mean 0 and deviation 1.

    Returns:
        A regressor: texts to scores (n,), within the range of the labels. A text's score is the same to the last digit
        whatever texts stand beside it.
    """
    rows, wanted = signs_of(texts), np.asarray(labels, dtype=np.float64)
    centre, spread = rows.mean(axis=0), rows.std(axis=0)
    spread = np.where(spread > 1e-9, spread, 1.0)
    scaled = (rows - centre) / spread
    square = scaled.T @ scaled + PENALTY * np.eye(scaled.shape[1])
    weights = np.linalg.solve(square, scaled.T @ (wanted - wanted.mean()))
    low, high, mean = wanted.min(), wanted.max(), wanted.mean()
    # row by row: a product of a matrix may round a row by where it stands
    return lambda given: np.clip(((signs_of(given) - centre) / spread * weights).sum(axis=1) + mean, low, high)
