"""Grid and random search: the combinations of a declaration, and what a declaration may not say."""

from dataclasses import dataclass

import pytest
from scipy.stats import kstest, loguniform, uniform
from sklearn.model_selection import ParameterGrid

from foundation.errors import UserError
from foundation.options import option
from modelserving.option_search import (
    Range,
    best_first,
    check_comparable,
    combinations,
    read_space,
    with_score,
)
from modelserving.training.recipe import TEXTS


@dataclass(frozen=True)
class Options:
    hidden: int = option(256, "Size", low=1, high=4096)
    rate: float = option(0.001, "Rate", low=0.0, high=10.0)
    optimizer: str = option("adam", "Optimizer", choices=("adam", "sgd"))
    words: int = option(50_000, "Words", low=1, group=TEXTS)
    tune_by: str = option("bleu", "Score", choices=("perplexity", "bleu"))
    rules: bool = option(True, "Rules first")


RATE = {"low": 1e-4, "high": 1e-1, "scale": "log"}


def space(**vary):
    return read_space(Options, vary, {})


def test_a_grid_has_the_combinations_of_scikit_learns():
    vary = {"hidden": [64, 128, 256], "optimizer": ["adam", "sgd"], "rules": [True, False]}
    found = combinations(space(**vary), "grid", 12, 1)
    expected = list(ParameterGrid(vary))
    assert len(found) == 12
    assert all(one in expected for one in found)
    assert all(found.count(one) == 1 for one in found)


def test_random_draws_are_the_same_for_the_same_seed_alone():
    varied = space(rate=RATE, hidden={"low": 16, "high": 1024})
    first = combinations(varied, "random", 20, 1)
    assert combinations(varied, "random", 20, 1) == first
    assert combinations(varied, "random", 20, 2) != first
    assert combinations(varied, "random", 30, 1)[:20] == first, "more draws begin with the same"
    wider = combinations(space(rate=RATE, hidden={"low": 16, "high": 1024}, rules=[True, False]), "random", 20, 1)
    assert [one["rate"] for one in wider] == [one["rate"] for one in first], "a further option leaves the others"


def test_draws_have_the_distribution_of_their_scale():
    """Of scipy: the draws of one seed, so the probability is always the same."""
    found = combinations(space(rate=RATE), "random", 2000, 3)
    assert kstest([one["rate"] for one in found], loguniform(1e-4, 1e-1).cdf).pvalue > 0.05
    found = combinations(space(rate={"low": 2.0, "high": 3.0}), "random", 500, 3)
    assert kstest([one["rate"] for one in found], uniform(2, 1).cdf).pvalue > 0.05


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_whole_numbers_come_with_their_ends_and_stay_whole(scale):
    found = combinations(space(hidden={"low": 1, "high": 4, "scale": scale}), "random", 50, 1)
    assert sorted(one["hidden"] for one in found) == [1, 2, 3, 4], "each once, and then there are no others"
    assert all(type(one["hidden"]) is int for one in found)
    assert space(hidden={"low": 1, "high": 4}) == {"hidden": Range(1, 4, "linear", True)}


def test_lists_of_few_values_are_each_combination_once():
    found = combinations(space(hidden=[1, 2], optimizer=["adam", "sgd"]), "random", 20, 1)
    assert len(found) == 4
    found = combinations(space(hidden=[1, 2, 3], optimizer=["adam", "sgd"]), "random", 5, 1)
    assert len(found) == 5
    assert all(found.count(one) == 1 for one in found)


@pytest.mark.parametrize(
    ("vary", "said"),
    [
        ({}, "vary: Vary at least one option: give it several values, or a range."),
        ({"hiden": [1, 2]}, "vary.hiden: There is no such option; did you mean hidden?"),
        ({"hidden": [1, 0]}, "vary.hidden.1: Expected a number from 1 to 4,096."),
        ({"hidden": [1, 1.5]}, "vary.hidden.1: Expected a whole number."),
        ({"hidden": [64]}, "vary.hidden: Expected from 2 to 50 values; one alone is a fixed option."),
        ({"hidden": [64, 64]}, "vary.hidden: '64' occurs twice."),
        ({"hidden": 64}, "vary.hidden: Expected a list of values, or a range with low and high."),
        ({"hidden": {"low": 1}}, "vary.hidden.high: This has to be given: the greatest value."),
        ({"hidden": {"low": 1, "hihg": 2}}, "vary.hidden.hihg: There is no such option; did you mean high?"),
        ({"hidden": {"low": 0, "high": 9}}, "vary.hidden.low: Expected a number from 1 to 4,096."),
        ({"hidden": {"low": 1.5, "high": 9}}, "vary.hidden.low: Expected a whole number."),
        ({"rate": {"low": 0.1, "high": 0.1}}, "vary.rate: The least value must be below the greatest."),
        ({"rate": {"low": 0, "high": 1, "scale": "log"}}, "vary.rate.low: A logarithmic scale begins above 0."),
        ({"rate": {"low": 0, "high": 1, "scale": "ln"}}, "vary.rate.scale: Expected one of linear, log."),
        ({"rate": {"low": 0, "high": float("inf")}}, "vary.rate.high: Expected a number that is finite."),
        ({"optimizer": ["adam", "adm"]}, "vary.optimizer.1: Expected one of adam, sgd."),
        ({"optimizer": {"low": 0, "high": 1}},
         "vary.optimizer: It has no range, for its values are no numbers; give a list of values."),
        ({"rules": {"low": 0, "high": 1}},
         "vary.rules: It has no range, for its values are no numbers; give a list of values."),
    ],
)  # fmt: skip
def test_a_declaration_is_held_to_the_options_own(vary, said):
    with pytest.raises(UserError) as refused:
        read_space(Options, vary, {})
    assert str(refused.value) == said


def test_an_option_is_not_fixed_and_varied():
    with pytest.raises(UserError, match=r"^vary.hidden: This option is fixed and varied; leave one of them out."):
        read_space(Options, {"hidden": [1, 2]}, {"hidden": 3})


def test_a_grid_has_no_ranges_and_no_more_than_is_allowed():
    with pytest.raises(UserError, match=r"^vary.rate: A grid takes lists of values; ranges are for random search."):
        combinations(space(rate=RATE), "grid", 20, 1)
    with pytest.raises(UserError, match=r"^at_most: The grid has 6 combinations, more than 5 trainings; vary less"):
        combinations(space(hidden=[1, 2, 3], rules=[True, False]), "grid", 5, 1)


def test_scores_that_count_other_words_are_not_compared():
    def check(vary, **options):
        check_comparable(Options, space(**vary), options)

    check({"words": [100, 200]}, tune_by="bleu")
    check({"hidden": [100, 200]}, tune_by="perplexity")
    with pytest.raises(UserError, match=r"^vary.words: By perplexity, trainings that differ in this option cannot be"):
        check({"words": [100, 200]}, tune_by="perplexity")
    with pytest.raises(UserError, match=r"^vary.tune_by: Trainings are compared by one score: it cannot vary."):
        check({"tune_by": ["bleu", "perplexity"]}, tune_by="bleu")


def test_the_score_is_an_option_of_each_training():
    assert with_score(Options, {"hidden": 1}, "") == {"hidden": 1}
    assert with_score(Options, {"hidden": 1}, "perplexity") == {"hidden": 1, "tune_by": "perplexity"}
    assert with_score(Options, {"tune_by": "bleu"}, "bleu") == {"tune_by": "bleu"}
    with pytest.raises(UserError, match=r"^score: Another score is among the options, as tune_by."):
        with_score(Options, {"tune_by": "bleu"}, "perplexity")
    with pytest.raises(UserError, match=r"^score: Expected one of perplexity, bleu."):
        with_score(Options, {}, "blue")

    @dataclass(frozen=True)
    class Plain:
        rounds: int = option(3, "Rounds")

    with pytest.raises(UserError, match=r"^score: The model has one tune score; leave this empty."):
        with_score(Plain, {}, "bleu")


def test_the_best_is_first_and_what_has_no_score_last():
    assert best_first([1.0, None, 3.0, 2.0, 3.0], higher_is_better=True) == [2, 4, 3, 0, 1]
    assert best_first([1.0, None, 3.0, 0.0], higher_is_better=False) == [3, 0, 2, 1]
