"""Agreement of spans, against values worked out by hand and a search of all alignments."""

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from evaluation.span_agreement import Unit, cost, disorder, distance, gamma, overlap

GOLDEN = json.loads((Path(__file__).parents[3] / "golden" / "statistics" / "gamma_pygamma.json").read_text())["cases"]
A, B = Unit(0, 4, "x"), Unit(10, 14, "y")


def searched(first, second):
    """The cheapest of all alignments."""
    if len(first) > len(second):
        first, second = second, first
    best = float("inf")
    for partners in permutations([*range(len(second)), *[None] * len(first)], len(first)):
        paired = [(one, second[place]) for one, place in zip(first, partners, strict=True) if place is not None]
        alone = len(first) + len(second) - 2 * len(paired)
        best = min(best, alone + sum(distance(one, other) for one, other in paired))
    return best


def test_a_unit_costs_by_its_ends_its_kind_and_its_loneliness():
    assert distance(A, A) == 0
    assert distance(A, Unit(0, 4, "y")) == 1
    assert distance(A, Unit(2, 6, "x")) == (4 / 8) ** 2
    assert disorder([A], []) == 2, "one unit without a partner, half a unit a person"
    assert disorder([A, B], [A, B]) == 0
    assert disorder([A], [Unit(50, 54, "x")]) == 2, "far units have no partner"
    assert disorder([], []) == 0


def test_the_alignment_is_the_best_of_all():
    random = np.random.default_rng(3)
    for _ in range(60):
        sides = [[Unit(start := int(random.integers(40)), start + int(random.integers(1, 9)), "xy"[random.integers(2)])
                  for _ in range(random.integers(0, 5))] for _ in range(2)]  # fmt: skip
        assert cost(*sides) == pytest.approx(searched(*sides), abs=1e-12)


def test_gamma_is_1_of_equal_marks_about_0_of_chance_and_none_of_nobodys():
    texts = [(80, [A, B], [A, B]), (80, [], [])]
    assert gamma(texts, seed=1).value == 1
    assert gamma([(80, [A], [])], seed=1).value is None
    assert gamma([], seed=1).value is None
    random = np.random.default_rng(5)
    drawn = [[Unit(start := int(random.integers(480)), start + 4, "x") for _ in range(40)] for _ in range(2)]
    assert abs(gamma([(500, *drawn)], seed=1).value) < 0.1


@pytest.mark.parametrize(("ours", "theirs", "f1"), [
    ([], [], 1.0), ([Unit(0, 4, "Minor")], [], 0.0), ([Unit(0, 4, "Minor")], [Unit(0, 4, "Minor")], 1.0),
    ([Unit(0, 4, "Minor")], [Unit(0, 4, "Major")], 0.5), ([Unit(0, 4, "Minor")], [Unit(2, 6, "Minor")], 0.5),
    ([Unit(0, 4, "Minor"), Unit(0, 4, "Minor")], [Unit(0, 4, "Minor")], 2 / 3),
    ([Unit(0, 4, "Minor"), Unit(0, 4, "Major")], [Unit(0, 4, "Major")], 2 / 3),
])  # fmt: skip
def test_a_character_counts_half_where_the_severities_differ(ours, theirs, f1):
    """As the scorer of WMT 2025's second task has it."""
    assert overlap([(ours, theirs)]).f1 == pytest.approx(f1)


@pytest.mark.parametrize("case", GOLDEN)
def test_the_disorder_is_pygammas_and_gamma_as_near_as_chance_lets_it(case):
    """Its solver stops within 1e-7 of the best alignment, and both draw what chance gives.

    Its text ends with the last unit.
    """
    sides = [[Unit(*unit) for unit in case[name]] for name in ("first", "second")]
    found = gamma([(max(unit.end for side in sides for unit in side), *sides)], seed=1, samples=400)
    assert found.observed == pytest.approx(case["disorder"], abs=1e-6)
    assert found.value == pytest.approx(case["gamma"], abs=0.06)
