"""Sources chosen where systems differ: the scores of subset2evaluate."""

import numpy as np
import pytest

from evaluation.human_studies.chosen_sources import diversity, metric_variance


def test_variance_over_systems_is_numpys_and_knows_what_is_missing():
    scores = np.random.default_rng(1).random((4, 6))
    assert metric_variance(scores) == pytest.approx(np.var(scores, axis=0))
    scores[1:, 2] = np.nan
    scores[0, 3] = np.nan
    assert metric_variance(scores)[2] == 0
    assert metric_variance(scores)[3] == pytest.approx(np.var(scores[1:, 3]))


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [  # -diversity_unigram of subset2evaluate (github.com/zouharvi/subset2evaluate) on these outputs
        (["a b c", "a b c"], -1.0),
        (["a b c d", "a b x y", "e f"], -(0.5 + 0 + 0) / 3),
        (["a a b", "a"], -0.5),
        (["", "a"], -1.0),
        (["alone"], 0.0),
    ],
)
def test_diversity_is_less_the_share_of_common_words(texts, wanted):
    assert diversity(texts) == pytest.approx(wanted)
