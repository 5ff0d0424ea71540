"""PERM-BOTH against the authors' own program, each item's correlation against scipy, and where there is none."""

import json
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from evaluation.statistics import STATISTICS

pytestmark = pytest.mark.filterwarnings("error")

GOLDEN = Path(__file__).parents[3] / "golden" / "statistics" / "perm_both_nlpstats.json"
EXAMPLES = [
    pytest.param(example, id=example["name"], marks=[] if "gaps" in example["name"] else pytest.mark.soak)
    for example in json.loads(GOLDEN.read_text())["examples"]
]
SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
DRAWS = 2000
each = pytest.mark.parametrize("name", sorted(SCIPY))


def compare(*given, **more):
    return STATISTICS["perm_both"].compare(*given, **more)


def matrix(rows):
    return np.array([[np.nan if value is None else value for value in row] for row in rows])


def scores(systems, items, seed, noise=1.0, worse=1.0):
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(systems, items))
    human = np.clip(np.round(quality + 3), 1, 5)
    return quality + noise * rng.normal(size=quality.shape), quality + worse * rng.normal(size=quality.shape), human


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("place", range(9))
def test_statistic_is_the_references_and_p_within_what_draws_leave_open(example, place):
    expected = example["found"][place]
    x, y, human = (matrix(example[key]) for key in ("x", "y", "human"))
    found = compare(x, y, human, expected["averaging"], expected["coefficient"], draws=DRAWS, seed=4)
    assert found.statistic == pytest.approx(expected["statistic"], abs=1e-12)
    error = np.sqrt(2 * max(expected["p"] * (1 - expected["p"]), 1 / DRAWS) / DRAWS)
    assert abs(found.p - expected["p"]) < 4 * error


@each
@pytest.mark.parametrize("gaps", [0, 0.25])
def test_every_item_of_every_way_is_scipys(name, gaps):
    rng = np.random.default_rng(3)
    x, y, human = (rng.integers(0, 4, (5, 20)) / 3 for _ in range(3))
    lacking = rng.random((5, 20)) < gaps
    for one in (x, y, human):
        one[lacking] = np.nan
    ways = np.array([[way >> system & 1 for system in range(5)] for way in range(32)], dtype=bool)
    for way, row in zip(ways, STATISTICS[name].by_item(x, y, human, ways), strict=True):
        for item, found in enumerate(row):
            here = ~lacking[:, item]
            metric = np.where(way, y[:, item], x[:, item])[here]
            people = human[here, item]
            if len(metric) < 2 or np.ptp(metric) == 0 or np.ptp(people) == 0:
                assert np.isnan(found)
            else:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    assert found == pytest.approx(SCIPY[name](metric, people).statistic, abs=1e-12)


@each
@pytest.mark.parametrize("averaging", ["item", "system", "none"])
def test_which_metric_comes_first_only_turns_the_sign(name, averaging):
    x, y, human = scores(5, 30, 2, worse=1.5)
    found, turned = (compare(*pair, human, averaging, name, draws=200) for pair in ((x, y), (y, x)))
    assert turned.statistic == pytest.approx(-found.statistic)
    assert turned.p == pytest.approx(found.p, abs=0.011)
    assert found.n == {"item": 30, "system": 5, "none": 150}[averaging]


def test_p_is_even_where_the_metrics_are_equally_good():
    found = [compare(*scores(5, 40, seed), "item", "kendall", draws=200).p for seed in range(200)]
    assert 0.04 < np.mean(np.array(found) <= 0.1) < 0.17
    assert compare(*scores(6, 100, 1, worse=9.0), "item", "kendall").p < 0.01


def test_a_seed_gives_the_same_p_again():
    given = (*scores(5, 30, 2), "item", "kendall", 300)
    assert compare(*given, seed=1) == compare(*given, seed=1)
    assert len({compare(*given, seed=seed).p for seed in range(8)}) > 1


def test_an_output_that_lacks_one_score_does_not_enter():
    x, y, human = scores(5, 30, 2)
    x[1, 3] = y[2, 4] = human[0, 5] = np.nan
    human[:, 7] = np.nan
    all_three = [one.copy() for one in (x, y, human)]
    for one in all_three:
        one[[1, 2, 0], [3, 4, 5]] = np.nan
    kept = np.delete(np.arange(30), 7)
    found = compare(x, y, human, draws=50)
    assert found == compare(*(one[:, kept] for one in all_three), draws=50)
    assert found.n == 29


same = np.ones((5, 8))
some, other, people = scores(5, 8, 0)


@each
@pytest.mark.parametrize("averaging", ["item", "system", "none"])
@pytest.mark.parametrize(
    ("x", "y", "human", "why"),
    [
        (some[:, :3], other[:, :3], people[:, :3], "The test needs 4 items or more, and there are 3."),
        (some[:, :1], other[:, :1], people[:, :1], "The test needs 4 items or more, and there is 1."),
        (same, other, people, "All scores of the first metric are the same."),
        (some, same, people, "All scores of the second metric are the same."),
        (some, other, same, "All scores of people are the same."),
        (some * np.nan, other, people, "The test needs 4 items or more, and there are 0."),
    ],
)
def test_where_there_is_none_a_sentence_says_why(name, averaging, x, y, human, why):
    found = compare(x, y, human, averaging, name)
    assert (found.statistic, found.p, found.undefined) == (None, None, why)


@each
def test_too_few_systems_or_nothing_but_ties(name):
    assert compare(some[:3], other[:3], people[:3], "system", name).undefined == (
        "The test needs 4 systems or more, and there are 3."
    )
    assert compare(some[:1], other[:1], people[:1], "item", name).undefined == (
        "The test needs 2 systems or more, and there is 1."
    )
    tied = np.tile(np.arange(8.0), (5, 1))
    assert compare(some, other, tied, "item", name).undefined == (
        "There is no correlation to compare: the values that it is taken over are all the same."
    )


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="equal shape"):
        compare(some, other, people[:, 1:])
    with pytest.raises(ValueError, match="no averaging 'items'"):
        compare(some, other, people, "items")


@each
def test_5_systems_of_1000_items_come_quickly(name):
    given = scores(5, 1000, 1)
    started = time.process_time()
    compare(*given, "item", name, draws=1000)
    assert time.process_time() - started < 5  # about 0.1 s on a quiet machine, and 450 s by the authors' program
