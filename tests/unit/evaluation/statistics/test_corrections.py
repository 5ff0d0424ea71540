"""Holm and Benjamini-Hochberg against statsmodels."""

import json
from pathlib import Path

import pytest

from evaluation.statistics import STATISTICS, Correction, of_kind

GOLDEN = json.loads((Path(__file__).parents[3] / "golden" / "statistics" / "corrections_statsmodels.json").read_text())
NAMES = ["benjamini_hochberg", "holm"]
each = pytest.mark.parametrize("name", NAMES)


def test_the_folder_has_these():
    assert sorted(of_kind(Correction)) == NAMES


@each
@pytest.mark.parametrize("family", GOLDEN["families"], ids=lambda family: str(len(family["p"])))
def test_statsmodels_values(name, family):
    assert STATISTICS[name].adjust(family["p"]) == pytest.approx(family[name], rel=1e-12, abs=1e-300)


@each
def test_what_was_not_tested_stays_so_and_counts_for_nothing(name):
    adjust = STATISTICS[name].adjust
    assert adjust([0.03, None, 0.01, None]) == [adjust([0.03, 0.01])[0], None, adjust([0.03, 0.01])[1], None]
    assert adjust([None, None]) == [None, None]
    assert adjust([]) == []
    assert adjust([0.04]) == [0.04]


@each
def test_a_p_outside_its_range_is_refused(name):
    for p in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="between 0 and 1"):
            STATISTICS[name].adjust([0.5, p])
