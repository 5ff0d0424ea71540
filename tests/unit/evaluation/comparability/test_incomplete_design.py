"""Systems that each have their own part of a study are put in order by what each two share."""

import numpy as np
import pytest
from support import snapshots

from evaluation.comparability.incomplete_design import values_by_pairs
from evaluation.comparability.system_ranking import by_criterion, by_metric
from evaluation.significance import mean_of_judgements


def incomplete(systems=6, units=100, kept=80, seed=0):
    """Ratings of systems 0.3 apart on units that differ by far more, each system on its own random part."""
    random = np.random.default_rng(seed)
    values = 0.3 * np.arange(systems)[:, None] + 6 * random.standard_normal(units) + random.normal(
        0, 0.3, (systems, units)
    )  # fmt: skip
    there = np.array([np.isin(np.arange(units), random.permutation(units)[:kept]) for _ in range(systems)])
    return values, there


def two_way(values, there):
    """The systems' parts in the least squares of values on systems and sentences."""
    at = np.argwhere(there)
    design = np.zeros((len(at), sum(there.shape)))
    design[np.arange(len(at)), at[:, 0]] = design[np.arange(len(at)), there.shape[0] + at[:, 1]] = 1
    return np.linalg.lstsq(design, values[there], rcond=None)[0][: there.shape[0]]


def snapshot_of(values, there):
    units = snapshots.units_of([f"source {place}" for place in range(values.shape[1])])
    systems = [snapshots.system(f"S{place}", ["t" if has else None for has in row]) for place, row in enumerate(there)]
    rows = [(unit, place, 0, values[place, unit]) for place, unit in np.argwhere(there)]
    scores = {"pinc": [snapshots.by_value(row) for row in np.where(there, values, np.nan)]}
    return snapshots.snapshot_of(units, systems, [snapshots.judged("fluency", rows)], scores, draws=200)


def test_systems_of_80_of_100_sentences_each_are_all_ranked():
    """Held to least squares of value ~ system + sentence over all values, which a mean over sentences allows too."""
    values, there = incomplete()
    additive = two_way(values, there)
    snapshot = snapshot_of(values, there)
    criterion = snapshot.judgements["raw"]["fluency"]
    for ranking in (by_criterion(snapshot, criterion), by_metric(snapshot, "pinc")):
        assert ranking.places == {place: 6 - place for place in range(6)}
        assert ranking.outside == {}
        assert ranking.note.startswith("Systems have different sentences")
        steps = np.diff([ranking.values[place] for place in range(6)])
        assert steps == pytest.approx(np.diff(additive), abs=0.02)


def test_an_easy_part_helps_no_system():
    """Of ten such studies plain means put most in a wrong order, and what two share puts none."""
    wrong = {"means": 0, "pairs": 0}
    for seed in range(10):
        values, there = incomplete(seed=seed)
        column = [mean_of_judgements(row[has], np.flatnonzero(has)) for row, has in zip(values, there, strict=True)]
        fitted = values_by_pairs(column, list(range(6)))
        means = [row[has].mean() for row, has in zip(values, there, strict=True)]
        wrong["means"] += not (np.diff(means) > 0).all()
        wrong["pairs"] += not (np.diff([fitted[place] for place in range(6)]) > 0).all()
    assert wrong["pairs"] == 0
    assert wrong["means"] > 5


def test_boards_of_such_a_study_have_clusters_stars_and_differences():
    snapshot = snapshots.reported(snapshot_of(*incomplete()))
    boards = snapshot.report["leaderboard"]
    for board in (boards["criteria"]["fluency"], boards["metrics"]["pinc"]):
        rows = {row["system"]: row for row in board["rows"]}
        assert [row["cluster"] for row in board["rows"]] == [1, 2, 3, 4, 5, 6]
        assert rows["S5"]["stars"] == "*"
        assert rows["S5"]["difference"] == pytest.approx(1.5, abs=0.2)
        assert rows["S5"]["difference_low"] < rows["S5"]["difference"] < rows["S5"]["difference_high"]


def test_values_that_fit_are_the_own_numbers_where_all_have_the_same():
    values, _ = incomplete()
    column = [mean_of_judgements(row, np.arange(100)) for row in values]
    fitted = values_by_pairs(column, list(range(6)))
    assert fitted == pytest.approx({place: row.mean() for place, row in enumerate(values)})


def test_differences_are_weighed_by_their_sources():
    """Three systems, by hand: a and b share 8 sources, b and c 4, a and c 4, and the three differences do not agree."""
    a = mean_of_judgements(np.r_[np.full(8, 1.0)], np.arange(8))
    b = mean_of_judgements(np.zeros(8), np.arange(8))
    c = mean_of_judgements(np.r_[np.full(4, 1.0)], np.arange(4))
    fitted = values_by_pairs([a, b, c], [0, 1, 2])
    design = np.array([[1, -1, 0], [0, 1, -1], [1, 0, -1]]) * np.sqrt([[8], [4], [4]])
    best = np.linalg.pinv(design) @ (np.array([1.0, -1.0, 0.0]) * np.sqrt([8, 4, 4]))
    assert [fitted[place] - np.mean(list(fitted.values())) for place in range(3)] == pytest.approx(best)


def test_systems_that_share_too_little_have_no_order_and_a_word_what_to_do():
    values, _ = incomplete(systems=2, units=20)
    there = np.array([np.arange(20) < 11, np.arange(20) >= 9])
    snapshot = snapshot_of(values, there)
    ranking = by_criterion(snapshot, snapshot.judgements["raw"]["fluency"])
    assert ranking.values == {}
    assert ranking.note.startswith("No order: the systems share too few sentences. Give all systems the same ones")
    assert ranking.outside == {0: "not ranked: 11 of 20", 1: "not ranked: 11 of 20"}


def test_parts_of_equal_size_that_nothing_links_have_no_order():
    parts = [mean_of_judgements(np.arange(8.0) + of, np.arange(8) + 100 * (of // 2)) for of in range(4)]
    assert values_by_pairs(parts, [0, 1, 2, 3]) == {}
    assert set(values_by_pairs([*parts, parts[0]], [0, 1, 2, 3, 4])) == {0, 1, 4}
