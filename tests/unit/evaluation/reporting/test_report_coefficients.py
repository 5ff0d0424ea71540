"""Which coefficients of agreement a report states of a criterion: what their entries say, and no list beside them."""

from typing import get_args

import pytest

from evaluation.numerics import Level
from evaluation.reporting.build import coefficients_for
from evaluation.statistics import AgreementStatistic, of_kind

ENTRIES = of_kind(AgreementStatistic)


@pytest.mark.parametrize("name", ENTRIES)
def test_every_coefficient_reaches_the_report_at_its_levels_and_at_no_other(name):
    stated_at = {level for level in get_args(Level) if name in coefficients_for(level, ranks=False, crossed=True)}
    assert stated_at == ENTRIES[name].levels != frozenset()


def test_one_that_needs_every_rater_at_every_text_is_left_out_where_some_are_lacking():
    crossed, gaps = (coefficients_for("interval", ranks=False, crossed=every) for every in (True, False))
    assert list(gaps) == ["krippendorff_alpha", "gwet_ac2", "icc_1_1", "icc_1_k"]
    assert crossed.keys() - gaps.keys() == {name for name, entry in ENTRIES.items() if entry.crossed}


def test_of_ranks_only_what_is_always_stated():
    assert list(coefficients_for("ordinal", ranks=True, crossed=True)) == ["krippendorff_alpha"]


def test_ordinal_values_have_alpha_first_then_the_others_by_name():
    assert list(coefficients_for("ordinal", ranks=False, crossed=True)) == [
        "krippendorff_alpha", "cohen_kappa_linear", "cohen_kappa_quadratic", "fleiss_kappa",
        "gwet_ac1", "gwet_ac2", "icc_1_1", "icc_1_k", "icc_a_1", "icc_a_k", "icc_c_1", "icc_c_k", "raw_agreement",
    ]  # fmt: skip
