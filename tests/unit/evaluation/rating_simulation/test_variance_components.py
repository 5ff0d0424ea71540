"""The parts of a pilot's variance: those that ratings were made with, and the pilots that cannot tell."""

import numpy as np
import pytest

from evaluation.rating_simulation import estimate_variance_components


def pilot(sentences, systems, judges, parts, same_raters=True, seed=0):
    rng = np.random.default_rng(seed)
    sentence, output, rater = (np.sqrt(part) for part in parts)
    rest = np.sqrt(1 - sum(parts))
    s, y, j = (axis.ravel() for axis in np.indices((sentences, systems, judges)))
    by_rater = rng.normal(size=(sentences, judges))[s, j] if same_raters else rng.normal(size=len(s))
    values = (
        sentence * rng.normal(size=sentences)[s]
        + output * rng.normal(size=(sentences, systems))[s, y]
        + rater * by_rater
        + rest * rng.normal(size=len(s))
        + 3 * y
    )
    return 2 * values, s, y, j if same_raters else np.arange(len(s))


@pytest.mark.parametrize("parts", [(0.3, 0.2, 0.2), (0.05, 0.6, 0.1), (0.0, 0.0, 0.5)])
def test_the_parts_that_ratings_were_made_with(parts):
    found = estimate_variance_components(*pilot(3000, 3, 4, parts))
    assert list(found.values()) == pytest.approx(
        [dict(zip(("sentence_part", "output_part", "rater_part"), parts, strict=True))[name] for name in found],
        abs=0.03,
    )
    assert len(found) == 3


def test_raters_who_see_one_output_of_a_sentence_tell_no_rater_part():
    found = estimate_variance_components(*pilot(3000, 3, 4, (0.3, 0.2, 0.2), same_raters=False))
    assert sorted(found) == ["output_part", "sentence_part"]
    assert found["sentence_part"] == pytest.approx(0.3, abs=0.03)


def test_one_judgement_an_output_tells_no_part():
    assert estimate_variance_components(*pilot(2000, 4, 1, (0.3, 0.2, 0.2))) == {}


def test_parts_are_none_below_0_and_1_in_all_at_most():
    for seed in range(30):
        found = estimate_variance_components(*pilot(12, 3, 3, (0.1, 0.8, 0.1), seed=seed))
        assert all(part >= 0 for part in found.values())
        assert sum(found.values()) <= 1 + 1e-9


def test_pilots_that_tell_nothing():
    assert estimate_variance_components([], [], [], []) == {}
    assert estimate_variance_components([3], ["s"], ["A"], ["w"]) == {}
    assert estimate_variance_components([3] * 40, list(range(20)) * 2, ["A"] * 20 + ["B"] * 20, ["w", "v"] * 20) == {}
    with pytest.raises(ValueError, match="equal length"):
        estimate_variance_components([1, 2], ["s"], ["A", "B"], ["w", "w"])
