"""Alpha against Krippendorff's published examples, the package `krippendorff`, and what must hold of it."""

import json
import resource
import time
import warnings
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import linear

from evaluation.interrater_agreement import Judgements, distance, spread
from evaluation.statistics.krippendorff_alpha import _DISAGREEMENT, STATISTIC, agree

pytestmark = pytest.mark.filterwarnings("error")

GOLDEN = Path(__file__).parents[3] / "golden" / "statistics"
LEVELS = ("nominal", "ordinal", "interval", "ratio")


def golden(name):
    examples = json.loads((GOLDEN / name).read_text())["examples"]
    return [pytest.param(example, id=example["name"]) for example in examples]


def long_form(ratings):
    """Raters x items with None for gaps -> raters, items, values."""
    rows = [(r, i, v) for r, row in enumerate(ratings) for i, v in enumerate(row) if v is not None]
    raters, items, values = zip(*rows, strict=True)
    return [f"rater {r}" for r in raters], list(items), list(values)


@pytest.mark.parametrize("example", golden("alpha_published.json"))
def test_published_examples(example):
    for level, alpha in example["alpha"].items():
        found = agree(*long_form(example["ratings"]), level)
        assert round(found.value, 3) == alpha
        assert (found.raters, found.items, found.undefined) == (len(example["ratings"]), example["items"], "")


@pytest.mark.parametrize("example", golden("alpha_package.json"))
def test_values_of_the_package(example):
    for level, alpha in example["alpha"].items():
        assert agree(*long_form(example["ratings"]), level).value == pytest.approx(alpha, abs=1e-12)


tables = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.none() | st.integers(0, 6), min_size=raters, max_size=raters), min_size=2, max_size=12
    )
)


@given(tables, st.sampled_from(LEVELS))
def test_is_the_package_wherever_that_has_a_value(columns, level):
    ratings = np.array([[np.nan if v is None else v for v in column] for column in columns]).T
    pairable = ratings[:, np.sum(~np.isnan(ratings), axis=0) > 1]
    if np.isnan(ratings).all():
        return
    found = agree(*long_form([[None if np.isnan(v) else v for v in row] for row in ratings]), level)
    if len(set(pairable[~np.isnan(pairable)])) < 2:
        assert found.value is None
        assert found.undefined.endswith(".")
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = krippendorff.alpha(pairable, level_of_measurement=level)
        assert found.value == pytest.approx(expected, abs=1e-9)
        assert found.items == pairable.shape[1]


@given(tables, st.sampled_from(LEVELS), st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(columns, level, random):
    rows = [(r, i, v) for i, column in enumerate(columns) for r, v in enumerate(column) if v is not None]
    if not rows:
        return
    shuffled = random.sample(rows, len(rows))
    first = agree(*zip(*rows, strict=True), level)
    second = agree(
        [f"r{9 - r}" for r, _, _ in shuffled], [f"i{99 - i}" for _, i, _ in shuffled], [v for *_, v in shuffled], level
    )
    assert first.undefined == second.undefined
    assert first.value == pytest.approx(second.value, abs=1e-12)


def test_perfect_agreement_is_exactly_one():
    for level in LEVELS:
        assert (
            agree(["a", "b", "c"] * 3, [1, 1, 1, 2, 2, 2, 3, 3, 3], [0.1] * 3 + [0.7] * 3 + [4] * 3, level).value == 1
        )


def test_items_with_one_judgement_do_not_enter():
    found = agree(["a", "b", "a", "b", "c"], [1, 1, 2, 2, 3], [1, 1, 2, 3, 9], "interval")
    assert (found.raters, found.items) == (2, 2)
    assert found == agree(["a", "b", "a", "b"], [1, 1, 2, 2], [1, 1, 2, 3], "interval")


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([], "No item was judged by two raters."),
        ([("a", 1, 3), ("b", 2, 4)], "No item was judged by two raters."),
        (
            [("a", 1, 3), ("b", 1, 3), ("a", 2, 5)],
            "All judgements have the same value, so there is nothing to agree on.",
        ),
        (
            [("a", 1, 3), ("a", 1, 4)],
            "A rater judged one item twice; alpha takes one judgement of a rater and item.",
        ),
        ([("a", 1, float("nan")), ("b", 1, 4)], "1 of the 2 judgements lacks a number."),
    ],
)
def test_where_there_is_none_a_sentence_says_why(rows, why):
    raters, items, values = zip(*rows, strict=True) if rows else ((), (), ())
    for level in LEVELS:
        found = agree(raters, items, values, level)
        assert (found.value, found.undefined) == (None, why)


def test_the_ratio_level_refuses_what_lies_below_zero():
    found = agree(["a", "b"], [1, 1], [-1, 1], "ratio")
    assert (found.value, found.undefined) == (None, "The ratio level needs values of zero or more.")


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="equal length"):
        agree(["a"], [1, 2], [1, 2], "nominal")
    with pytest.raises(ValueError, match="level of measurement 'cardinal'"):
        agree(["a"], [1], [1], "cardinal")


@pytest.mark.parametrize("continuous", [False, True])
@pytest.mark.parametrize("level", LEVELS)
def test_a_hundred_thousand_judgements_stay_small_and_quick(level, continuous):
    """The package holds items x values x values floats here: 20,000 x 101 x 101 x 8 bytes are 1.6 GB."""
    rng = np.random.default_rng(3)
    items = np.repeat(np.arange(20_000), 5)
    raters = np.tile(np.arange(5), 20_000)
    values = np.clip(np.repeat(rng.integers(0, 101, 20_000), 5) + rng.integers(-9, 10, 100_000), 0, 100)
    values = values + rng.random(100_000) * continuous
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    found = STATISTIC.agree(raters, items, values, level)
    assert time.process_time() - started < 5  # 0.1 to 0.3 s on a quiet machine
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB
    assert (found.raters, found.items) == (5, 20_000)
    assert 0 <= found.value < 1


@pytest.mark.parametrize("largest", [3, 150, 500])
def test_continuous_ratios_are_the_packages_whatever_the_size_of_the_items(largest):
    """Many judgements of an item, and many values, take another way than few."""
    rng = np.random.default_rng(largest)
    ratings = np.round(np.exp(rng.normal(size=(largest, 4)) + rng.normal(size=4)), 3)
    ratings[0, 0] = 0
    ratings[1:, 1][: largest - 2] = np.where(rng.random(largest - 2) < 0.3, np.nan, ratings[1:, 1][: largest - 2])
    rows = [[None if np.isnan(v) else v for v in row] for row in ratings]
    expected = krippendorff.alpha(ratings, level_of_measurement="ratio")
    assert agree(*long_form(rows), "ratio").value == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("kind", ["slider", "close", "wide", "zeros"])
def test_sums_of_ratio_distances_are_those_of_the_pairs_written_out(kind):
    rng = np.random.default_rng(4)
    values = {
        "slider": rng.random(2000) * 100,
        "close": 1000 + rng.random(2000) * 1e-4,
        "wide": 10 ** rng.uniform(-300, 300, 2000),
        "zeros": np.concatenate((np.zeros(60), rng.random(2000))),
    }[kind]
    expected = sum(float(distance(np.full(len(values), value), values).sum()) for value in values)
    assert spread(values) == pytest.approx(expected, rel=1e-9, abs=0)


def drawn_naively(who, what, values, level, draws=400):
    """Alpha of items drawn one by one and written out."""
    numbers, found = np.random.default_rng(2), []
    rows = [np.flatnonzero(what == item) for item in np.unique(what)]
    for _ in range(draws):
        taken = [rows[i] for i in numbers.integers(0, len(rows), len(rows))]
        at, item = np.concatenate(taken), np.repeat(np.arange(len(taken)), [len(one) for one in taken])
        given = Judgements.read(who[at], item, values[at], level).paired()
        observed, expected = _DISAGREEMENT[level](given.scores, given.what)
        found.append(1 - observed / expected)
    return np.percentile(found, [2.5, 97.5])


def judged_alike(items, raters=4, seed=1, part=0.8):
    """Values from 1 to 5 that hang on the item, with gaps: raters, items, values."""
    numbers = np.random.default_rng(seed)
    values = np.clip(np.round(1.2 * (numbers.normal(size=(items, 1)) + numbers.normal(size=(items, raters))) + 3), 1, 5)
    what, who = np.nonzero(numbers.random((items, raters)) < part)
    return who, what, values[what, who]


@pytest.mark.parametrize("level", LEVELS)
def test_the_interval_is_that_of_items_drawn_with_repeats(level):
    given = judged_alike(60)
    found = agree(*given, level)
    assert found.low < found.value < found.high
    assert [found.low, found.high] == pytest.approx(drawn_naively(*given, level), abs=0.04)
    again = agree(*given, level)
    assert (again.low, again.high) == (found.low, found.high)


def test_many_kinds_of_items_are_drawn_in_parts():
    """Of 3,000 items, all judged differently, the interval is as wide as the standard error of the mean says."""
    numbers = np.random.default_rng(4)
    values = numbers.normal(size=(3000, 1)) + numbers.normal(size=(3000, 3))
    found = agree(np.tile(np.arange(3), 3000), np.repeat(np.arange(3000), 3), values.ravel(), "interval")
    spread = np.std([agree(np.tile(np.arange(3), 300), np.repeat(np.arange(300), 3), part.ravel(), "interval").value
                     for part in np.split(values, 10)]) / np.sqrt(10)  # fmt: skip
    assert found.high - found.low == pytest.approx(2 * 1.96 * spread, rel=0.6)


@pytest.mark.parametrize(
    "level", ["ordinal", *(pytest.param(one, marks=pytest.mark.soak) for one in LEVELS if one != "ordinal")]
)
def test_the_interval_holds_the_truth_about_as_often_as_it_says(level):
    truth = agree(*judged_alike(40_000, part=1), level).value
    found = [agree(*judged_alike(60, seed=seed, part=1), level) for seed in range(10, 130)]
    assert 0.88 <= np.mean([one.low <= truth <= one.high for one in found]) <= 1


def test_few_items_have_no_interval_and_it_says_so():
    found = agree(*judged_alike(9, part=1), "ordinal")
    assert (found.low, found.high) == (None, None)
    assert found.note == "There is no interval: it needs 10 items or more that were judged twice, and there are 9."


def test_a_hundred_thousand_judgements_have_their_interval_without_a_walk_through_them_for_each_sample():
    """Half a second of the processor; an alpha computed anew in each of 1,000 samples is broken off after 20."""
    who, what, values = judged_alike(33_000, raters=3, part=1)
    for level in LEVELS:
        linear.seconds(lambda level=level: agree(who, what, values, level))
        assert agree(who, what, values, level).low is not None
