"""Joint scores, held to their formulas on a study that is worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest
from support import snapshots

from evaluation.comparability.joint_scores import joint_sums, why_undefined
from evaluation.snapshot import joint_score
from evaluation.table_parts.columns import joint_column, subsets_of
from evaluation.tables import TABLES

# Style from -3 to 3 (high is good), fluency from 1 to 5, errors from 0 to 10 (low is good); systems A and B.
STYLE = [(0, 0, 0, 3), (0, 0, 1, 0), (1, 0, 0, 3), (2, 0, 0, -3), (0, 1, 0, 0), (1, 1, 0, 0)]
FLUENCY = [(0, 0, 0, 5), (1, 0, 0, 3), (2, 0, 0, 5), (0, 1, 0, 5), (1, 1, 0, 5), (2, 1, 0, 1)]
ERRORS = [(0, 0, 0, 0), (1, 0, 0, 5), (2, 0, 0, 10), (0, 1, 0, 5), (1, 1, 0, 5)]


def study(*lines, **more):
    units = snapshots.units_of(["one", "two", "three"])
    systems = [snapshots.system("A", ["a"] * 3), snapshots.system("B", ["b"] * 3)]
    judged = [
        snapshots.judged("style", STYLE, ends=(-3, 3)),
        snapshots.judged("fluency", FLUENCY, ends=(1, 5)),
        replace(snapshots.judged("errors", ERRORS, ends=(0, 10)), better=False),
    ]
    snapshot = snapshots.snapshot_of(units, systems, judged, {}, draws=20)
    return replace(snapshot, joint=[joint_score(line) for line in lines], **more)


def numbers(line, **more):
    snapshot = study(line, **more)
    column = joint_sums(snapshot, snapshot.joint[0])
    return [None if sums is None else float(sums.value_of(sums.rows.sum(axis=0))) for sums in column]


def test_a_product_by_sentence_is_of_the_outputs_that_were_judged_on_all():
    """Krishna, Wieting and Iyyer (2020), section 4: the mean over sentences of accuracy x similarity x fluency.

    A: (.75 x 1 + 1 x .5 + 0 x 1) / 3. B's third sentence has no style.
    """
    assert numbers("J = product by sentence: style, fluency") == pytest.approx([1.25 / 3, 0.5])


def test_a_product_of_means_is_of_all_that_was_judged():
    """TextDetox 2024's README: "average the scores ...; multiply averaged scores". A: style .5833, fluency .8333."""
    by_hand = [(0.75 + 1 + 0) / 3 * (1 + 0.5 + 1) / 3, 0.5 * (1 + 1 + 0) / 3]
    assert numbers("J = product of means: style, fluency") == pytest.approx(by_hand)


def test_a_mean_of_means_follows_how_means_are_taken():
    assert numbers("M = mean of means: style, fluency")[0] == pytest.approx((1.75 / 3 + 2.5 / 3) / 2)
    by_judgement = numbers("M = mean of means: style, fluency", averaging="judgement")[0]
    assert by_judgement == pytest.approx(((1 + 0.5 + 1 + 0) / 4 + 2.5 / 3) / 2)


def test_where_low_is_good_it_is_the_best():
    assert numbers("M = mean by sentence: fluency, errors") == pytest.approx([(1 + 0.5 + 0.5) / 3, 0.75])


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("J = product of means: flow, style", "Nobody judged 'flow', and no metric of that name was chosen."),
        ("J = product of means: style, fluency", "Neither end of 'style' is the better one."),
    ],
)
def test_what_is_not_defined_says_why(line, why):
    snapshot = study(line)
    judged = dict(snapshot.judgements["raw"])
    judged["style"] = replace(judged["style"], better=None)
    assert why_undefined(replace(snapshot, judgements={"raw": judged}), snapshot.joint[0]) == why


def test_boards_and_tables_have_them():
    """B was judged on both in two of three sentences: the order is over these, A's number over all of its own."""
    snapshot = snapshots.reported(study("J = product by sentence: style, fluency", "N = mean of means: style, nothing"))
    board = snapshot.report["leaderboard"]["joint"]["J"]
    rows = {row["system"]: row for row in board["rows"]}
    assert rows["A"]["value"] == pytest.approx(1.25 / 3)
    assert (
        snapshot.report["leaderboard"]["joint"]["N"]["undefined"]
        == "Nobody judged 'nothing', and no metric of that name was chosen."
    )
    for name in ("leaderboard", "differences"):
        assert "J" in TABLES[name].make(snapshot).head


def test_parts_of_a_study_have_them_too():
    """By domain, and by the length of the source: A's first sentence alone is .75 x 1, the two others .5 and 0."""
    snapshot = study("J = product by sentence: style, fluency")
    units = replace(snapshot.units, domains=["News", "Talk", "Talk"], words=np.array([1.0, 2.0, 2.0]))
    snapshot = snapshots.reported(replace(snapshot, units=units))
    found = {part.label: [cell.value for cell in joint_column(snapshot, "J", part).cells]
             for part in subsets_of(snapshot)}  # fmt: skip
    assert found == {"All domains": pytest.approx([1.25 / 3, 0.5]), "News": pytest.approx([0.75, 0.5]),
                     "Talk": pytest.approx([0.25, 0.5])}  # fmt: skip
    rows = {(row["system"], row["group"]): (row["value"], row["n"])
            for row in TABLES["by_length"].make(snapshot).rows if row["measure"] == "J"}  # fmt: skip
    assert rows == {("A", "1"): (0.75, 1), ("A", "2"): (0.25, 2), ("B", "1"): (0.5, 1), ("B", "2"): (0.5, 1)}


def of_metrics(line, scores):
    units = snapshots.units_of(["one", "two", "three"])
    systems = [snapshots.system("A", ["a"] * 3), snapshots.system("B", ["b"] * 3)]
    given = {name: [snapshots.by_value(values) for values in of] for name, of in scores.items()}
    snapshot = snapshots.snapshot_of(
        units, systems, [snapshots.judged("fluency", FLUENCY, ends=(1, 5))], given, draws=20
    )
    return replace(snapshot, joint=[joint_score(line)])


def test_textdetox_automatic_joint_score_is_of_metrics_by_sentence():
    """TextDetox 2024: the mean over sentences of style accuracy x similarity x ChrF, each from 0 to 1."""
    style, similar, chrf = [[1, 0, 1], [1, 1, 1]], [[5, 4, 2.5], [1, np.nan, 2]], [[50, 90, 80], [10, 20, 30]]
    line = "J = product by sentence: style_accuracy, semantic_similarity, chrf"
    snapshot = of_metrics(line, {"style_accuracy": style, "semantic_similarity": similar, "chrf": chrf})
    found = [float(sums.value_of(sums.rows.sum(axis=0))) for sums in joint_sums(snapshot, snapshot.joint[0])]
    product = np.array(style) * np.array(similar) / 5 * np.array(chrf) / 100
    assert found == pytest.approx(np.nanmean(product, axis=1))
    of_means = of_metrics(line.replace("by sentence", "of means"),
                          {"style_accuracy": style, "semantic_similarity": similar, "chrf": chrf})  # fmt: skip
    found = [float(sums.value_of(sums.rows.sum(axis=0))) for sums in joint_sums(of_means, of_means.joint[0])]
    means = [np.nanmean(values, axis=1) / top for values, top in ((style, 1), (similar, 5), (chrf, 100))]
    assert found == pytest.approx(np.prod(means, axis=0))


def test_people_and_metrics_may_stand_in_one_joint_score():
    snapshot = of_metrics("J = mean by sentence: fluency, chrf", {"chrf": [[50, 100, 0], [np.nan, 20, 40]]})
    found = [float(sums.value_of(sums.rows.sum(axis=0))) for sums in joint_sums(snapshot, snapshot.joint[0])]
    assert found == pytest.approx([np.mean([0.75, 0.75, 0.5]), np.mean([0.6, 0.2])])


@pytest.mark.parametrize(
    ("metric", "why"),
    [
        ("ter", "'ter' is on no scale from a worst to a best: 0 and up, edits per 100 words."),
        ("pinc", ""), ("self_bleu", "Neither end of 'self_bleu' is the better one."),
        ("bleu", "Nobody judged 'bleu', and no metric of that name was chosen."),
    ],
)  # fmt: skip
def test_a_metric_without_bounds_or_better_end_has_no_part_in_one(metric, why):
    scores = {} if metric == "bleu" else {metric: [[1, 2, 3], [1, 2, 3]]}
    snapshot = of_metrics(f"J = product by sentence: fluency, {metric}", scores)
    assert why_undefined(snapshot, snapshot.joint[0]) == why
