"""Models of raters: crowd-kit's for labels, R's ordinal for ratings, evalica's for comparisons with ties."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize, special

from evaluation.cumulative_links import Crossing, OrdinalData, fit
from evaluation.statistics import STATISTICS, LabelModel, of_kind

GOLDEN = Path(__file__).parents[3] / "golden" / "statistics"
pytestmark = pytest.mark.filterwarnings("error")


def golden(name):
    return json.loads((GOLDEN / name).read_text())


def labels_drawn(seed, raters, items, labels, each, skills):
    random = np.random.default_rng(seed)
    true = random.integers(labels, size=items)
    rows = []
    for item in range(items):
        for rater in sorted(random.choice(raters, each, replace=False)):
            right = random.random() < skills[rater]
            rows.append((int(rater), item, int(true[item] if right else random.integers(labels))))
    return list(zip(*rows, strict=True))


LABELLED = golden("labels_crowdkit.json")["examples"]


@pytest.mark.parametrize("example", LABELLED, ids=[one["name"] for one in LABELLED])
@pytest.mark.parametrize(("name", "close"), [("dawid_skene", 1e-6), ("mace", 1e-6), ("glad", 1e-4)])
def test_labels_are_those_of_crowd_kit(example, name, close):
    found = STATISTICS[name].infer(*labels_drawn(*example["arguments"]))
    assert found.chances == pytest.approx(np.array(example[name]["chances"]), abs=close)
    assert found.skills == pytest.approx(np.array(example[name]["skills"]), abs=close)


@pytest.mark.parametrize("name", of_kind(LabelModel))
def test_a_rater_who_guesses_has_the_least_skill_and_labels_may_be_words(name):
    raters, items, labels = labels_drawn(7, 5, 80, 3, 5, [0.9, 0.9, 0.8, 0.8, 0.0])
    found = STATISTICS[name].infer(
        ["abcde"[one] for one in raters], items, [["no", "yes", "maybe"][one] for one in labels]
    )
    assert found.raters[int(np.argmin(found.skills))] == "e"
    assert found.labels == ["maybe", "no", "yes"]
    assert found.chances.sum(axis=1) == pytest.approx(np.ones(80))


@pytest.mark.parametrize("name", of_kind(LabelModel))
@pytest.mark.parametrize(
    "given",
    [([], [], []), ([0, 1], [0, 0], ["a", "a"]), ([0, 0], [0, 1], ["a", "b"]), ([0, 1], [0, 1], ["a", "b"])],
    ids=["nothing", "one label", "one rater", "apart"],
)
def test_no_model_says_why(name, given):
    found = STATISTICS[name].infer(*given)
    assert found.undefined.endswith(".")
    assert not len(found.skills)


def test_ratings_of_wine_are_as_in_r():
    wine = golden("ordinal_wine.json")
    table = np.array(wine["table"])
    bottle, judge = (places.ravel() for places in np.indices(table.shape))
    design = np.column_stack((bottle >= 4, bottle % 4 >= 2)).astype(float)
    nobody = np.zeros_like(judge)
    for groups in ((nobody, judge), (judge, nobody)):
        found = fit(OrdinalData(table.ravel() - 1, 5, design, *groups))
        assert found.thresholds == pytest.approx(wine["thresholds"], abs=1e-4)
        assert found.effects == pytest.approx(wine["effects"], abs=1e-4)
        assert np.sqrt(np.diag(found.covariance))[4:6] == pytest.approx(wine["errors"], abs=1e-4)
        assert max(found.deviations) == pytest.approx(wine["deviation"], abs=1e-3)
        assert found.log_likelihood == pytest.approx(wine["log_likelihood"], abs=5e-3)


def ratings_drawn(seed=0, n=240, raters=4, items=40):
    random = np.random.default_rng(seed)
    rater, item, system = random.integers(raters, size=n), random.integers(items, size=n), random.integers(3, size=n)
    shift = 0.8 * system + random.normal(size=raters)[rater] + random.normal(size=items)[item]
    return system, rater, item, np.digitize(shift + random.logistic(size=n), [-1, 0.5, 2])


def plain_log_likelihood(system, rater, item, level, point):
    """By Laplace, with a general optimizer, a dense numerical Hessian and nothing shared with the fast form."""
    cuts, effects, spreads = np.concatenate(([-np.inf], point[:3], [np.inf])), np.append(0, point[3:5]), point[5:]
    raters = rater.max() + 1

    def joint(modes):
        shift = effects[system] + spreads[0] * modes[:raters][rater] + spreads[1] * modes[raters:][item]
        chances = special.expit(cuts[level + 1] - shift) - special.expit(cuts[level] - shift)
        return modes @ modes / 2 - np.log(chances).sum()

    def slope(modes):
        shift = effects[system] + spreads[0] * modes[:raters][rater] + spreads[1] * modes[raters:][item]
        high, low = special.expit(cuts[level + 1] - shift), special.expit(cuts[level] - shift)
        by_shift = (high * (1 - high) - low * (1 - low)) / (high - low)
        parts = [spread * np.bincount(of, by_shift) for spread, of in zip(spreads, (rater, item), strict=True)]
        return modes + np.concatenate(parts)

    top = optimize.minimize(joint, np.zeros(raters + item.max() + 1), jac=slope, tol=1e-10).x
    steps = np.eye(len(top)) * 1e-5
    hessian = np.array([(slope(top + step) - slope(top - step)) / 2e-5 for step in steps])
    return -joint(top) - np.linalg.slogdet(hessian)[1] / 2


def test_crossed_effects_are_at_the_top_of_the_plain_likelihood():
    system, rater, item, level = ratings_drawn()
    design = (system[:, None] == [1, 2]).astype(float)
    found = fit(OrdinalData(level, 4, design, rater, item))
    point = np.concatenate((found.thresholds, found.effects, found.deviations))
    at_top = plain_log_likelihood(system, rater, item, level, point)
    assert found.log_likelihood == pytest.approx(at_top, abs=1e-6)
    for place in range(len(point)):
        for step in (-0.05, 0.05):
            aside = point + step * (np.arange(len(point)) == place)
            assert plain_log_likelihood(system, rater, item, level, aside) < at_top


def test_systems_stand_about_zero_and_an_item_that_raters_read_in_two_ways_is_named():
    system, rater, item, level = ratings_drawn(3, 600, 5, 30)
    level[item == 7] = np.where(rater[item == 7] % 2, 3, 0)
    found = STATISTICS["ordinal_mixed"].fit(system, rater, item, level)
    assert list(found.systems) == [2, 1, 0]
    assert sum(of.value for of in found.systems.values()) == pytest.approx(0)
    assert found.p < 0.001
    assert found.fits[0].item == 7
    assert found.fits[0].misfit > 1.5
    turned = STATISTICS["ordinal_mixed"].fit(system, item, rater, level)  # fewer items than raters
    assert turned.item_deviation == pytest.approx(found.rater_deviation, abs=1e-4)


def test_few_ratings_are_not_modelled():
    for rows in (0, 12):
        found = STATISTICS["ordinal_mixed"].fit(*(column[:rows] for column in ratings_drawn()))
        assert found.undefined.startswith("It needs 30 judgements")
    lacking = list(ratings_drawn())
    lacking[3] = np.where(np.arange(240) == 3, np.nan, lacking[3])
    assert STATISTICS["ordinal_mixed"].fit(*lacking).undefined == "A rating is not a number."


def test_a_system_that_has_the_best_ratings_alone_has_no_strength():
    system, rater, item, level = ratings_drawn()
    level[system == 2] = 3
    assert (
        "some system got the lowest or highest" in STATISTICS["ordinal_mixed"].fit(system, rater, item, level).undefined
    )


COMPARED = golden("bradley_terry_evalica.json")["examples"]


def comparisons_drawn(seed, systems, pairs, nu):
    random = np.random.default_rng(seed)
    strengths = random.normal(size=systems) * 0.7
    rows = []
    for pair in range(pairs):
        first, second = random.choice(systems, 2, replace=False)
        weights = np.exp(strengths[[first, second]])
        chances = np.array([weights[0], 2 * nu * np.sqrt(weights.prod()), weights[1]])
        outcome = random.choice(3, p=chances / chances.sum())
        rows += [(pair, 0, first, 1 + (outcome == 2)), (pair, 0, second, 1 + (outcome == 0))]
    return list(zip(*rows, strict=True))


@pytest.mark.parametrize("example", COMPARED, ids=["four systems", "six systems", "few ties"])
def test_strengths_with_and_without_ties_are_those_of_evalica(example):
    given = comparisons_drawn(*example["arguments"])
    for name, wanted in (("davidson", "newman"), ("bradley_terry", "bradley_terry")):
        found = STATISTICS[name].rank(*given)
        assert [found[place].value for place in range(len(found))] == pytest.approx(example[wanted], abs=1e-9)
        assert all(of.low < of.value < of.high for of in found.values())
    assert STATISTICS["davidson"].tie_parameter(*given) == pytest.approx(example["v"], abs=1e-9)


@pytest.mark.parametrize("judged", [1.0, 0.1], ids=["all judge all", "each judges a few"])
def test_the_pairs_of_two_groupings_are_a_matrix_of_both(judged):
    """Where each person judges a few items, nothing is worked out for the other pairs."""
    random = np.random.default_rng(4)
    first, second = np.nonzero(random.random((12, 40)) < judged)
    crossing = Crossing(np.append(first, first[0]), np.append(second, second[0]), (12, 40))
    assert crossing.few == (judged < 1)
    values, small, whole = random.random(len(crossing.rows)), random.random((12, 12)), np.zeros((12, 40))
    whole[crossing.rows, crossing.columns] = values
    assert crossing.pair[0] == crossing.pair[-1]
    assert np.triu(crossing.squared(values)) == pytest.approx(np.triu(whole @ whole.T))
    assert crossing.at_pairs(small, values) == pytest.approx((small @ whole)[crossing.rows, crossing.columns])
    assert crossing.times(values, whole[0]) == pytest.approx(whole @ whole[0])
    assert crossing.turned_times(values, small[0]) == pytest.approx(whole.T @ small[0])
