"""Sentinels find a leak that is there, and none where judgements have nothing to do with one text alone."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from support.snapshots import by_value, judged, snapshot_of, system, units_of

from evaluation.reporting.sentinels import Predictor
from evaluation.views.claims import Axis, beside, leaks, turned_round

SOURCES, SYSTEMS, RATERS = 60, 4, 2
HARD = "xq zzyx qqz"  # the words of the sources that are hard


def made(leaking, aspect="meaning", sources=SOURCES):
    random = np.random.default_rng(3)
    hard = random.random(sources) < 0.5
    texts = [f"{HARD if is_hard else 'a plain one'} {''.join(random.choice(list('abcde'), 8))}" for is_hard in hard]
    quality = random.normal(size=(SYSTEMS, sources)) - (2.0 * hard if leaking else 0.0)
    rows = [
        (unit, place, rater, float(quality[place, unit] + 0.3 * random.normal()))
        for unit in range(sources) for place in range(SYSTEMS) for rater in range(RATERS)
    ]  # fmt: skip
    outputs = [[f"{place} {''.join(random.choice(list('abcde'), 8))}" for _ in texts] for place in range(SYSTEMS)]
    named = [system(f"S{place}", of) for place, of in enumerate(outputs)]
    scores = {"pinc": [by_value(one) for one in quality]}
    snapshot = snapshot_of(units_of(texts), named, [judged("meaning", rows, aspect=aspect)], scores)
    return snapshot.report["trust"]["criteria"]["meaning"]


def by_text(trust):
    return {one["sees"]: one for one in trust["sentinels"]}


def test_the_page_says_why_soft_pairs_order_two_metrics_the_other_way_round():
    rows = [{"metric": name, "accuracy": accuracy, "soft_accuracy": soft}
            for name, accuracy, soft in (("bleu", 1.0, 0.9), ("chrf", 0.9, 0.97), ("ter", 0.8, 0.5))]  # fmt: skip
    said = turned_round({"system": rows})
    assert said.startswith("'Pairs right' puts BLEU before chrF (1.00 and 0.90), 'Soft pairs' the other way round")
    assert "farther from theirs" in said
    assert turned_round({"system": rows[:1] + rows[2:]}) == ""
    assert turned_round({"system": [{"metric": "bleu", "accuracy": 1.0, "soft_accuracy": None}]}) == ""


def test_a_source_that_tells_what_people_say_is_a_leak_and_the_page_says_so():
    trust = made(leaking=True)
    found = by_text(trust)
    assert found["source"]["leaks"]
    assert found["source"]["low"] > 0.4
    assert not found["output"]["leaks"]
    assert found["reference"]["undefined"] == (
        "It needs judgements of 30 sources or more with such a text, and there are 0."
    )
    said = leaks("meaning", trust)
    assert len(said) == 1
    assert said[0].startswith("The test set leaks: the source alone predicts what people say of meaning (r = 0.")
    rows = beside(trust, "sentence", Axis(-1.0))
    assert [row.label for row in rows] == ["One rater", "Source alone", "Output alone", "Reference alone"]
    assert rows[-1].x is None


def test_without_a_leak_nothing_is_said():
    trust = made(leaking=False)
    assert not any(one["leaks"] for one in trust["sentinels"])
    assert leaks("meaning", trust) == []
    few = made(leaking=True, sources=29)
    assert {one["value"] for one in few["sentinels"]} == {None}


def test_the_ceiling_is_of_the_outputs_that_metrics_are_compared_over():
    ceiling = made(leaking=False)["ceiling"]
    assert ceiling["sentence"]["n"] == RATERS
    assert 0.8 < ceiling["sentence"]["low"] < ceiling["sentence"]["value"] < 1
    assert ceiling["system"]["n"] == RATERS


def test_predictions_are_those_of_ridge_regression_fitted_on_other_folds():
    random = np.random.default_rng(1)
    texts = [" ".join(random.choice(["gonna", "see", "you", "there", "pls", "now"], 4)) for _ in range(40)]
    values, folds = random.normal(size=40), np.arange(40) % 5
    from sklearn.feature_extraction.text import HashingVectorizer

    vectors = HashingVectorizer(analyzer="char_wb", ngram_range=(1, 3), n_features=2**12, alternate_sign=False)
    length = np.log1p([len(text) for text in texts])
    length = (length - length.mean()) / length.std()
    features = np.column_stack((vectors.transform(texts).toarray(), np.sqrt(0.1) * length))
    wanted = np.empty(40)
    for fold in range(5):
        model = Ridge(alpha=1.0, fit_intercept=False)
        middle = values[folds != fold].mean()
        model.fit(features[folds != fold], values[folds != fold] - middle)
        wanted[folds == fold] = middle + model.predict(features[folds == fold])
    predictor = Predictor(texts, folds)
    assert predictor.predict(values) == pytest.approx(wanted, abs=1e-8)
    assert predictor.predict(2 * values + 1) == pytest.approx(2 * wanted + 1, abs=1e-8)  # as of another criterion
