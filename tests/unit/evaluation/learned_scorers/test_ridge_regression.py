"""The ridge regression of ratings, against scikit-learn's."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from evaluation.metrics.grammaticality import PENALTY, train_ridge


def test_the_regression_is_scikit_learns():
    """A ridge of signs that are brought to mean 0 and deviation 1, within the range of the ratings."""
    draw = np.random.default_rng(6)
    signs = np.column_stack([draw.normal(3, 2, (90, 5)), np.ones(90)])  # the last says nothing
    labels = np.clip(2.5 + signs[:, 0] - signs[:, 1] + draw.normal(0, 0.5, 90), 1, 4)
    rows = {f"text {i}": sign for i, sign in enumerate(signs)}
    texts = list(rows)
    ours = train_ridge(texts[:60], labels[:60].tolist(), lambda each: np.array([rows[text] for text in each]))
    theirs = make_pipeline(StandardScaler(), Ridge(alpha=PENALTY)).fit(signs[:60], labels[:60])
    assert ours(texts) == pytest.approx(np.clip(theirs.predict(signs), labels[:60].min(), labels[:60].max()))
