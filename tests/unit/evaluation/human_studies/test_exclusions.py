"""The rules of exclusion, on what people said."""

import pytest

from evaluation.human_studies.fields import HumanStudyFields
from evaluation.human_studies.plan_validation import with_control_rule
from evaluation.human_studies.workers import Worker, agreements_in, exclusions_of, straightness
from evaluation.models import HumanStudy
from foundation.errors import UserError
from foundation.options import option_named

CRITERIA = [{"name": "meaning", "scale": "meaning_6"}]
UNORDERED = [{"name": "meaning", "scale": "error | nominal | 1 Added | 2 Left out | 3 Wrong"}]


def worker(values, seconds=()):
    made = Worker(len(values), list(seconds))
    made.values["meaning"] = {(n, "text"): float(value) for n, value in enumerate(values)}
    return made


EXCLUSIONS = option_named(HumanStudyFields, "exclusions")
UP, DOWN, FLAT = list(range(1, 13)), list(range(12, 0, -1)), [3] * 12


def test_each_rule_leaves_out_those_it_is_about():
    workers = {
        "good": worker(UP, [5.0] * 6),
        "good too": worker(UP, [5.0] * 6),
        "and too": worker([*UP[:-2], 12, 11], [5.0] * 6),
        "other way": worker(DOWN, [5.0] * 6),
        "flat": worker(FLAT, [5.0] * 6),
        "quick": worker(UP, [1.0] * 6),
        "quick once": worker(UP, [1.0]),
    }
    rules = EXCLUSIONS.check({"straight_lining": 0.9, "least_seconds": 2, "least_agreement": 0, "control_p": 0.05})
    plan = HumanStudy(exclusions=rules, use_controls=False, criteria=CRITERIA)
    found = exclusions_of(plan, workers)
    assert set(found) == {"other way", "flat", "quick"}
    assert found["quick"] == "The median answer took 1.0 seconds, and 2 are asked for."
    assert found["flat"] == "100% of the ratings of a criterion are one value, more than 90%."
    assert "Agreement with the others is -1.00" in found["other way"]


def test_agreement_is_with_the_mean_of_the_others():
    plan = HumanStudy(criteria=CRITERIA)
    workers = {"a": worker(UP), "b": worker(UP), "c": worker(DOWN), "flat": worker(FLAT)}
    found = agreements_in(plan, workers)
    assert found["c"] == pytest.approx(-1)
    assert "flat" not in found
    assert agreements_in(plan, {"a": worker(UP)}) == {}  # nobody else rated these
    assert agreements_in(HumanStudy(criteria=UNORDERED), workers) == {}  # of kinds of errors none is more than another


def test_straight_lining_is_the_share_of_the_most_frequent_value():
    assert straightness(worker([1] * 9 + [2, 3, 4])) == pytest.approx(0.75)
    assert straightness(worker([1] * 9)) is None
    chosen = worker([1, 2] * 6)
    chosen.values["best_worst"] = {(n, "text"): 0.0 for n in range(12)}  # most are neither, however one chooses
    assert straightness(chosen) == 0.5


def test_control_texts_are_used_by_their_test_where_no_rule_says_how():
    assert with_control_rule({}, True) == {"control_p": 0.05}
    assert with_control_rule({"most_missed": 0.3}, True) == {"most_missed": 0.3}
    assert with_control_rule({}, False) == {}


@pytest.mark.parametrize(
    "given", [{"least_second": 2}, {"least_seconds": True}, {"control_p": 2}, {"most_missed": "x"}]
)
def test_rules_within_their_bounds(given):
    with pytest.raises(UserError) as refused:
        EXCLUSIONS.check(given)
    assert refused.value.where == f"exclusions.{next(iter(given))}"
