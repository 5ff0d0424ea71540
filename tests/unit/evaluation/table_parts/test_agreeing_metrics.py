"""A metric stands out where it is shown to agree with people, and nowhere else."""

import pytest

from evaluation.views.claims import Axis, ranked
from evaluation.views.trust import trust_matrix

ROW = {"p": None, "n": 40, "undefined": "", "better": True}


@pytest.mark.parametrize(
    ("value", "low", "high", "best"), [(0.4, 0.2, 0.6, True), (0.1, -0.2, 0.4, False), (0.4, None, None, False)]
)
def test_the_first_group_is_bold_where_its_interval_is_above_zero(value, low, high, best):
    row = {**ROW, "metric": "bleu", "value": value, "low": low, "high": high, "group": 1}
    trust = {"criteria": {"fluency": {"sentence": [row]}}, "foils": []}
    assert next(ranked(trust["criteria"]["fluency"], "sentence", Axis(-1.0), [])).cell.best is best
    assert trust_matrix(trust, "sentence")[0].agreements[0].best is best
