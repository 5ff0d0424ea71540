"""Metrics are ranked over what all of them scored, of the same systems, and put lower only where they agree less."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from support.snapshots import by_value, judged, reported, snapshot_of, system, units_of

from evaluation.comparability.common_scores import common_outputs, common_systems
from evaluation.numerics import Test
from evaluation.reporting.correlations import bootstrap_of
from evaluation.reporting.metric_permutation import MetricPermutations
from evaluation.statistics import STATISTICS

SIZE, SYSTEMS = 40, 6


def outputs(values):
    """(systems, outputs) of a small table of which metric scored what."""
    return np.array(values, dtype=bool)


def test_the_common_outputs_are_those_that_every_metric_scored():
    all_of, some = np.ones((3, 6), dtype=bool), outputs([[1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0]])
    found = common_outputs({"pinc": all_of, "bleu": some})
    assert found.metrics == ["pinc", "bleu"]
    assert np.array_equal(found.mask, some)
    assert (found.narrowest, found.left_out) == ("bleu", {})
    assert common_outputs({"pinc": all_of, "ter": all_of}).narrowest == ""


def test_a_metric_that_would_leave_nothing_is_left_out_and_says_so():
    all_of, none, other = np.ones((3, 4), dtype=bool), np.zeros((3, 4), dtype=bool), outputs([[1, 1], [0, 0], [0, 0]])
    found = common_outputs({"hit": none, "pinc": all_of})
    assert (found.metrics, list(found.left_out)) == (["pinc"], ["hit"])
    assert found.left_out["hit"].endswith("of the outputs that the other metrics scored it scored 0.")
    systems = common_systems({"pinc": np.ones((3, 2), dtype=bool), "hit": other})
    assert systems.left_out["hit"].endswith("of the systems that the other metrics scored it scored 1.")


def test_a_sparse_metric_does_not_shrink_what_the_others_are_compared_over():
    """Four scored outputs took the others' n from 600 to 4, and turned their agreement round."""
    all_of, few = np.ones((6, 100), dtype=bool), np.zeros((6, 100), dtype=bool)
    few[:4, 50] = True
    nearly = all_of.copy()
    nearly[:, :10] = False
    for common in (common_outputs, common_systems):
        found = common({"judge": few, "chrf": all_of, "bleu": nearly})
        assert (found.metrics, found.mask.sum()) == (["chrf", "bleu"], 540)
        assert found.left_out["judge"].endswith("of the outputs that the other metrics scored it scored 4.")


def made(human_system=False, scale=3.0):
    """Six systems, the last of which is the references (and perhaps a person): BLEU has no scores of it.

    BLEU agrees somewhat with people on the five, PINC a little less; over all six PINC's r is far higher, for the
    sixth stands apart.
    """
    random = np.random.default_rng(8)
    texts = [f"sentence {one}" for one in range(SIZE)]
    human = np.clip(np.round(random.normal(3, 1, (SYSTEMS, SIZE)) + np.arange(SYSTEMS)[:, None] / 6), 1, 7)
    human[-1] = 7
    pinc = human + scale * random.normal(size=human.shape)
    pinc[-1] += 12
    bleu = human + 2 * random.normal(size=human.shape)
    rows = [(unit, place, 0, human[place, unit]) for unit in range(SIZE) for place in range(SYSTEMS)]
    named = [system(f"S{place}", texts, is_human=human_system and place == SYSTEMS - 1) for place in range(SYSTEMS)]
    scores = {"pinc": [by_value(one) for one in pinc], "bleu": [*(by_value(one) for one in bleu[:-1]), None]}
    snapshot = snapshot_of(units_of(texts), named, [judged("meaning", rows, aspect="meaning", ends=(1, 7))], scores)
    return snapshot, human, pinc, bleu


def ranking(snapshot, level):
    return {row["metric"]: row for row in snapshot.report["trust"]["criteria"]["meaning"][level]}


@pytest.mark.parametrize("level", ["sentence", "system"])
def test_metrics_are_compared_over_the_same_outputs_of_the_same_systems(level):
    """And `correlations` stay those of each over all that it scored."""
    snapshot, human, pinc, bleu = made()
    found = ranking(snapshot, level)
    five = slice(0, SYSTEMS - 1)
    assert [found[name]["n"] for name in ("pinc", "bleu")] == [5 * SIZE if level == "sentence" else 5] * 2
    for name, scores in (("pinc", pinc), ("bleu", bleu)):
        pair = (scores[five], human[five])
        x, y = (one.ravel() if level == "sentence" else one.mean(axis=1) for one in pair)
        assert found[name]["value"] == pytest.approx(stats.pearsonr(x, y).statistic)
    own = {one["metric"]: one for one in snapshot.report["correlations"]
           if (one["level"], one["coefficient"]) == (level, "pearson")}  # fmt: skip
    assert own["pinc"]["n"] == (SYSTEMS * SIZE if level == "sentence" else SYSTEMS)
    assert own["bleu"]["value"] == found["bleu"]["value"]
    assert own["pinc"]["value"] > found["pinc"]["value"]
    assert snapshot.report["trust"]["criteria"]["meaning"]["narrowest"][level] == "bleu"


def test_peoples_own_systems_stay_out_unless_they_are_asked_for():
    """Of BLEU alone nothing would be said of them; PINC alone scores all."""
    snapshot, human, pinc, _ = made(human_system=True)
    alone = replace(snapshot, scores={"pinc": snapshot.scores["pinc"]})
    for asked, systems in ((False, 5), (True, 6)):
        made_of = reported(replace(alone, human_systems=asked))
        assert made_of.report["trust"]["human_systems"] is asked
        for level, n in (("sentence", systems * SIZE), ("system", systems)):
            assert ranking(made_of, level)["pinc"]["n"] == n
        basis = made_of.report["trust"]["criteria"]["meaning"]
        assert (basis["systems"], basis["judgements"]) == (systems, systems * SIZE)
        x, y = pinc[:systems].ravel(), human[:systems].ravel()
        assert ranking(made_of, "sentence")["pinc"]["value"] == pytest.approx(stats.pearsonr(x, y).statistic)


def test_a_metric_that_agrees_more_is_not_put_a_group_lower(monkeypatch):
    """By system the test is of means of sentence scores, and may say the opposite of the order that is shown."""
    snapshot, *_ = made()
    for statistic, groups in ((-0.3, {1}), (0.3, {1, 2})):
        monkeypatch.setattr(MetricPermutations, "compare", lambda *_, found=statistic: Test(found, 0.0001, 9))
        rows = reported(snapshot).report["trust"]["criteria"]["meaning"]["system"]
        assert {row["group"] for row in rows} == groups


def test_beside_pearson_stand_pairs_items_and_drawn_systems():
    snapshot, human, pinc, _ = made(scale=1.0)
    five = slice(0, SYSTEMS - 1)
    row = ranking(snapshot, "sentence")["pinc"]
    own = [stats.pearsonr(pinc[five, item], human[five, item]).statistic
           for item in range(SIZE) if np.ptp(human[five, item])]  # fmt: skip
    assert (row["by_item"], row["by_item_n"]) == (pytest.approx(np.mean(own)), len(own))
    assert row["by_item_low"] < row["by_item"] < row["by_item_high"]
    assert row["both_low"] < row["low"] < row["value"] < row["both_high"]
    assert 0.5 < row["accuracy"] <= 1
    by_system = ranking(snapshot, "system")["pinc"]
    means, people = pinc[five].mean(axis=1), human[five].mean(axis=1)
    pairs = [(means[i] - means[j]) * (people[i] - people[j]) > 0 for i in range(5) for j in range(i)]
    assert by_system["accuracy"] == pytest.approx(np.mean(pairs))
    assert (by_system["epsilon"], by_system["by_item"]) == (0.0, None)
    assert by_system["both_low"] <= by_system["low"]


def test_turning_a_metric_and_its_better_end_round_changes_nothing():
    """TER falls where quality rises: the same numbers, negated, have the same row."""
    snapshot, human, pinc, _ = made(scale=1.0)
    turned = reported(
        replace(snapshot, scores={"pinc": snapshot.scores["pinc"], "ter": [by_value(-one) for one in pinc]})
    )
    keys = ("value", "low", "high", "n", "group", "accuracy", "both_low", "both_high", "by_item", "by_item_low")
    for level in ("sentence", "system"):
        rows = ranking(turned, level)
        for key in keys:
            assert rows["ter"][key] == pytest.approx(rows["pinc"][key], abs=1e-9), key
    assert human.shape == pinc.shape


def test_how_many_sources_and_systems_would_tell_the_first_two_metrics_apart():
    snapshot, human, pinc, bleu = made(scale=2.0)
    needed = snapshot.report["trust"]["criteria"]["meaning"]["needed"]
    five, rows = slice(0, SYSTEMS - 1), ranking(snapshot, "system")
    scores = {"pinc": pinc[five], "bleu": bleu[five]}
    first, second = (scores[needed["sentence"][name]].ravel() for name in ("first", "second"))
    homes = np.tile(np.arange(SIZE), SYSTEMS - 1)
    method = STATISTICS["metric_power"]
    wanted = method.sources(bootstrap_of(snapshot), first, second, human[five].ravel(), homes)
    assert needed["sentence"]["n"] == wanted.n
    names = [needed["system"][name] for name in ("first", "second")]
    between = stats.pearsonr(*(scores[name].mean(axis=1) for name in names)).statistic
    assert needed["system"]["n"] == method.systems(*(rows[name]["value"] for name in names), between).n
