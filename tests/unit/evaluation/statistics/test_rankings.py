"""Bradley-Terry, TrueSkill and best-worst counts: against other programs, by hand, and where there is no ranking."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtri

from evaluation.ranking_models import pairwise_comparisons, rate_match, read_rankings
from evaluation.statistics import STATISTICS, Ranking, of_kind

pytestmark = pytest.mark.filterwarnings("error")

FOLDER = Path(__file__).parents[3] / "golden" / "statistics"
CHOIX = json.loads((FOLDER / "bradley_terry_choix.json").read_text())
BASEBALL = json.loads((FOLDER / "bradley_terry_baseball.json").read_text())
BEST_WORST = json.loads((FOLDER / "best_worst_scripts.json").read_text())
TRUE_SKILL = json.loads((FOLDER / "true_skill_package.json").read_text())
NAMES = ["best_worst", "bradley_terry", "davidson", "true_skill"]
bradley_terry, true_skill, best_worst = (
    STATISTICS[name].rank for name in ("bradley_terry", "true_skill", "best_worst")
)
each = pytest.mark.parametrize("name", NAMES)


def duels(wins):
    """[(winner, loser, times)] -> columns, every duel a sentence of its own."""
    rows = []
    for winner, loser, times in wins:
        for _ in range(times):
            number = len(rows)
            rows += [(number, 0, winner, 1), (number, 0, loser, 3)]
    return list(zip(*rows, strict=True))


def made(sentences=60, judges=2, systems=5, seed=1):
    """Orders without ties, system 0 the best on average."""
    rng = np.random.default_rng(seed)
    rows = []
    for sentence in range(sentences):
        for judge in range(judges):
            felt = -np.arange(systems) * 0.5 + rng.normal(size=systems)
            rows += [(sentence, judge, f"s{one}", int(np.sum(felt > felt[one])) + 1) for one in range(systems)]
    return list(zip(*rows, strict=True))


def test_the_folder_has_these():
    assert sorted(of_kind(Ranking)) == NAMES
    assert all(one.unit for one in of_kind(Ranking).values())


def test_strengths_are_choixs_and_intervals_from_statsmodels_errors():
    found = bradley_terry(*zip(*CHOIX["rows"], strict=True))
    sentences = len({row[0] for row in CHOIX["rows"]})
    scale = 2.0009953780882688 * math.sqrt(sentences / (sentences - 1))  # t of 59 degrees, the few-groups factor
    for system, strength in found.items():
        assert strength.value == pytest.approx(CHOIX["strengths"][system], abs=1e-7)
        assert (strength.high - strength.low) / 2 == pytest.approx(scale * CHOIX["errors"][system], rel=1e-6)
        assert strength.n == len({row[0] for row in CHOIX["rows"] if row[2] == system})
    assert list(found) == sorted(found, key=lambda system: -CHOIX["strengths"][system])


def test_the_published_baseball_abilities():
    teams = BASEBALL["teams"]
    wins = [(a, b, BASEBALL["wins"][i][j]) for i, a in enumerate(teams) for j, b in enumerate(teams) if i != j]
    found = bradley_terry(*duels(wins))
    for team, ability in BASEBALL["abilities"].items():
        assert found[team].value - found["Baltimore"].value == pytest.approx(ability, abs=6e-5)


def test_two_systems_by_hand():
    """3 wins of 4: log odds log 3, so half of it above and below the mean."""
    found = bradley_terry(*duels([("A", "B", 3), ("B", "A", 1)]))
    assert found["A"].value == pytest.approx(math.log(3) / 2)
    assert found["B"].value == pytest.approx(-math.log(3) / 2)


def test_a_tie_is_half_a_win_for_both():
    ties = [(9, 0, "A", 1), (9, 0, "B", 1), (10, 0, "A", 1), (10, 0, "B", 1)]
    columns = [list(a) + list(b) for a, b in zip(duels([("A", "B", 2)]), zip(*ties, strict=True), strict=True)]
    assert bradley_terry(*columns)["A"].value == pytest.approx(math.log(3) / 2)


def test_bradley_terry_interval_is_near_the_bootstraps():
    columns = made(80)
    found = bradley_terry(*columns)
    rows = np.array(list(zip(*columns, strict=True)), dtype=object)
    rng, drawn = np.random.default_rng(0), []
    for _ in range(150):
        taken = [
            np.column_stack((np.full(10, k), rows[rows[:, 0] == s][:, 1:]))
            for k, s in enumerate(rng.integers(0, 80, 80))
        ]
        drawn.append(bradley_terry(*np.vstack(taken).T)["s0"].value)
    assert (found["s0"].high - found["s0"].low) / 2 == pytest.approx(1.96 * np.std(drawn), rel=0.2)


def test_best_worst_leaves_the_middle_uncompared():
    judged = read_rankings([1] * 4, [1] * 4, list("ABCD"), [1, 2, 2, 3])
    assert len(pairwise_comparisons(judged).score) == 6
    without = pairwise_comparisons(judged, ties=False)
    assert sorted(zip(without.first.tolist(), without.second.tolist(), without.score.tolist(), strict=True)) == [
        (0, 1, 1.0),
        (0, 2, 1.0),
        (0, 3, 1.0),
        (1, 3, 1.0),
        (2, 3, 1.0),
    ]


@pytest.mark.parametrize("match", TRUE_SKILL["matches"], ids=lambda match: f"{match['places']}-{match['draw']}")
def test_the_trueskill_packages_ratings(match):
    beta = 25 / 6
    margin = float(ndtri((match["draw"] + 1) / 2)) * math.sqrt(2) * beta
    found = rate_match([(mean, sd * sd) for mean, sd in match["skills"]], match["places"], margin, beta)
    for (mean, variance), expected in zip(found, match["rated"], strict=True):
        assert (mean, math.sqrt(variance)) == pytest.approx(tuple(expected), abs=1e-6)


def test_trueskill_of_one_win_is_the_packages_default():
    """The package's rate_1vs1(Rating(), Rating()) with tau 0, the chance of a draw 0 and scipy's normal curve."""
    found = true_skill(*duels([("A", "B", 1)]))
    assert found["A"].value == pytest.approx(29.2052208700336, abs=1e-6)
    assert found["A"].high - found["A"].value == pytest.approx(1.96 * 7.194481348831082, abs=1e-6)


def test_the_chance_of_a_draw_is_the_part_of_pairs_that_tie():
    judged = TRUE_SKILL["one_judgement"]
    found = true_skill([1] * 3, [1] * 3, judged["systems"], judged["places"])
    for system, (mean, sd) in zip(judged["systems"], judged["rated"], strict=True):
        assert found[system].value == pytest.approx(mean, abs=1e-6)
        assert found[system].high == pytest.approx(mean + 1.96 * sd, abs=1e-5)


def test_trueskill_orders_by_seed_and_finds_the_better():
    columns = made()
    first = true_skill(*columns, seed=1)
    assert first == true_skill(*columns, seed=1)
    assert first != true_skill(*columns, seed=2)
    assert next(iter(first)) == "s0"
    assert list(first) == sorted(first)


def test_trueskill_of_best_worst_takes_pairs():
    rows = [(s, 0, name, place) for s in range(8) for name, place in zip("ABCD", (1, 2, 2, 3), strict=True)]
    found = true_skill(*zip(*rows, strict=True), ties=False)
    assert found["A"].value > found["B"].value > found["D"].value
    assert found["B"].value == pytest.approx(found["C"].value, abs=1)


def test_a_far_outsider_and_an_odd_draw_break_nothing():
    beta = 25 / 6
    for places in ([1, 2], [1, 1]):
        for mean, variance in rate_match([(-500.0, 1.0), (500.0, 1.0)], places, 1.0, beta):
            assert math.isfinite(mean)
            assert 0 < variance < 1


def test_best_less_worst_by_hand():
    rows = [
        *[(1, "j", "A", 1), (1, "j", "B", 2), (1, "j", "C", 3)],
        *[(1, "k", "A", 1), (1, "k", "B", 3), (1, "k", "C", 2)],
        *[(2, "j", "A", 2), (2, "j", "B", 1), (2, "j", "C", 3)],
        *[(3, "j", "A", 1), (3, "j", "B", 2), (3, "j", "C", 3)],
    ]
    found = best_worst(*zip(*rows, strict=True))
    assert {name: one.value for name, one in found.items()} == {"A": 3 / 4, "B": 0, "C": -3 / 4}
    assert found["A"].n == 3
    assert found["A"].low < 3 / 4 < found["A"].high


def shown_four():
    """The judgements of the authors' programs, each set of four systems a sentence."""
    judged = [one.split() for one in BEST_WORST["judgements"].split(" / ")]
    places = {0: 1, 1: 3}
    rows = [
        (four, number, system, places.get(ends.find(system), 2))
        for number, (four, ends) in enumerate(judged)
        for system in four
    ]
    return list(zip(*rows, strict=True))


def test_best_less_worst_as_its_authors_count():
    found = best_worst(*shown_four())
    assert {name: round(one.value, 3) for name, one in found.items()} == BEST_WORST["scores"]
    assert list(found) == list(BEST_WORST["scores"])


def test_reliability_as_its_authors_split():
    """Theirs and ours are means over a hundred random splits: apart by chance alone."""
    found = STATISTICS["best_worst"].reliability(*shown_four())
    assert found.value == pytest.approx(BEST_WORST["spearman"], abs=4 * BEST_WORST["spread"] * (2 / 100) ** 0.5)


def test_reliability_of_best_worst():
    rng = np.random.default_rng(0)
    sure, unsure = [], []
    for sentence in range(30):
        for judge in range(6):
            for rows, noise in ((sure, 0.2), (unsure, 50)):
                felt = np.arange(6) + noise * rng.normal(size=6)
                order = felt.argsort().argsort()
                rows += [(sentence, judge, s, 1 if at == 5 else 3 if at == 0 else 2) for s, at in enumerate(order)]
    reliability = STATISTICS["best_worst"].reliability
    high, low = (reliability(*zip(*rows, strict=True), seed=1) for rows in (sure, unsure))
    assert high.value > 0.85 > abs(low.value)
    assert abs(low.value) < 0.6
    assert high == reliability(*zip(*sure, strict=True), seed=1)
    assert "4 systems" in reliability([1, 1], [1, 1], ["A", "B"], [1, 3]).undefined
    four = list(zip(*[(1, 1, s, 2) for s in range(4)], strict=True))
    assert "no split" in reliability(*four).undefined


@each
def test_all_ties_are_no_ranking(name):
    rows = [(s, 0, system, 2) for s in range(5) for system in "ABC"]
    found = STATISTICS[name].rank(*zip(*rows, strict=True))
    assert all(one.value is None and one.undefined.startswith("There is no ranking") for one in found.values())


@each
def test_nothing_judged(name):
    assert STATISTICS[name].rank([], [], [], []) == {}


@pytest.mark.parametrize("rank", [bradley_terry, true_skill])
def test_one_system_is_no_ranking(rank):
    found = rank([1, 2, 3, 4], [1] * 4, ["A"] * 4, [1] * 4)
    assert found["A"].undefined == "There is no ranking: no judgement compares two systems."
    assert (found["A"].value, found["A"].n) == (None, 4)


@pytest.mark.parametrize("rank", [bradley_terry, true_skill])
def test_systems_that_nothing_links_are_no_ranking(rank):
    found = rank(*duels([("A", "B", 3), ("B", "A", 3), ("C", "D", 2), ("D", "C", 2), ("E", "C", 1), ("C", "E", 1)]))
    assert {one.undefined for one in found.values()} == {
        "There is no ranking: no comparison, or chain of them, links the rest to A, B."
    }


def test_one_that_always_wins_has_no_bound():
    wins = [("A", "B", 3), ("A", "C", 3), ("B", "C", 2), ("C", "B", 1)]
    found = bradley_terry(*duels(wins))
    assert found["B"].undefined == "There is no ranking: between the rest and A all comparisons went one way."
    assert next(iter(true_skill(*duels(wins)))) == "A"


def test_few_sentences_have_no_interval():
    found = bradley_terry([1] * 4 + [2] * 4, [1, 1, 2, 2] * 2, ["A", "B"] * 4, [1, 2, 2, 1, 1, 2, 1, 2])
    assert found["A"].value > 0
    assert found["A"].low is None
    assert "there are 2" in found["A"].undefined


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="twice"):
        bradley_terry([1, 1], [1, 1], ["A", "A"], [1, 2])
    with pytest.raises(ValueError, match="equal length"):
        true_skill([1], [1, 1], ["A", "B"], [1, 2])
    with pytest.raises(ValueError, match="A place is 1"):
        best_worst([1, 1], [1, 1], ["A", "B"], [1, 4])
