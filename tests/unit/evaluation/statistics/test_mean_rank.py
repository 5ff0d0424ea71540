"""Equation 1 of the GYAFC paper, by hand, against a loop and by pandas."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from evaluation.ranking_models import by_sentence
from evaluation.statistics import STATISTICS
from evaluation.statistics.mean_rank import mean_rank


def long_form(orders):
    """[(sentence, judge, {system: place})] -> columns."""
    rows = [(s, j, system, place) for s, j, places in orders for system, place in places.items()]
    return zip(*rows, strict=True)


def test_tied_outputs_share_the_best_place():
    found = mean_rank(*long_form([("s", "j", {"A": 1, "B": 2, "C": 1, "D": 5})]))
    assert {system: mean.mean for system, mean in found.items()} == {"A": 1, "C": 1, "B": 3, "D": 4}


@pytest.mark.parametrize("ties", ["competition", "dense"])
def test_ties_are_scipys(ties):
    """scipy.stats.rankdata calls them min and dense."""
    places = np.random.default_rng(4).integers(1, 4, (30, 5))
    orders = [("s", f"j{judge}", dict(zip("ABCDE", row.tolist(), strict=True))) for judge, row in enumerate(places)]
    expected = rankdata(places, {"competition": "min", "dense": "dense"}[ties], axis=1).mean(axis=0)
    found = mean_rank(*long_form(orders), ties=ties)
    assert [found[name].mean for name in "ABCDE"] == pytest.approx(expected)
    with pytest.raises(ValueError, match="competition or dense"):
        mean_rank(*long_form(orders), ties="as they come")


def test_means_are_those_of_pandas():
    made = json.loads((Path(__file__).parents[3] / "golden/statistics/mean_rank_pandas.json").read_text())
    found = mean_rank(*zip(*made["rows"], strict=True))
    assert {system: one.mean for system, one in found.items()} == pytest.approx(made["means"])


def test_a_sentence_counts_once_however_many_judged_it():
    orders = [("s1", "j1", {"A": 1, "B": 2}), ("s1", "j2", {"A": 1, "B": 2}), ("s2", "j1", {"A": 2, "B": 1})]
    found = mean_rank(*long_form(orders))
    assert (found["A"].mean, found["B"].mean) == (1.5, 1.5)
    assert found["A"].n == 2


def test_the_ranks_that_the_means_are_of():
    orders = [("s2", "j1", {"A": 1, "B": 2}), ("s1", "j1", {"A": 1, "B": 2}), ("s1", "j2", {"A": 2, "B": 1, "C": 3})]
    found = by_sentence(*long_form(orders))
    assert {system: (list(names), list(ranks)) for system, (names, ranks) in found.items()} == {
        "A": (["s1", "s2"], [1.5, 1]),
        "B": (["s1", "s2"], [1.5, 2]),
        "C": (["s1"], [3]),
    }


def test_best_first():
    orders = [(s, "j", {"Copy": 3, "NMT": 1, "PBMT": 2}) for s in range(4)]
    assert list(mean_rank(*long_form(orders))) == ["NMT", "PBMT", "Copy"]


judgements = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 2)),
    st.dictionaries(st.sampled_from("ABCDE"), st.integers(-2, 4), min_size=1),
    min_size=1,
)


@given(judgements)
def test_is_the_equation_written_as_a_loop(judged):
    found = mean_rank(*long_form([(s, j, places) for (s, j), places in judged.items()]))
    assert set(found) == {system for places in judged.values() for system in places}
    for system, mean in found.items():
        by_sentence = {}
        for (sentence, _), places in judged.items():
            if system in places:
                rank = 1 + sum(other < places[system] for other in places.values())
                by_sentence.setdefault(sentence, []).append(rank)
        assert mean.mean == pytest.approx(np.mean([np.mean(ranks) for ranks in by_sentence.values()]))
        assert mean.n == len(by_sentence)


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="equal length"):
        mean_rank([1], [1], ["A"], [1, 2])
    with pytest.raises(ValueError, match="not a number"):
        mean_rank([1], [1], ["A"], [float("nan")])
    with pytest.raises(ValueError, match="twice"):
        mean_rank([1, 1], [1, 1], ["A", "A"], [1, 2])
    assert mean_rank([], [], [], []) == {}


def test_is_in_the_registry_with_its_paper():
    assert STATISTICS["mean_rank"].ranks is mean_rank
    assert STATISTICS["mean_rank"].paper.year == 2018
