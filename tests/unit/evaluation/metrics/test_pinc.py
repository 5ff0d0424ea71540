import json

import pytest

from evaluation.metrics import METRICS, MetricInput

PINC = METRICS["pinc"]


def test_worked_by_hand(golden):
    for case in golden("pinc")["cases"]:
        scores = PINC.score(MetricInput([case["source"]], [case["output"]], []), **case["settings"])
        assert scores.sentences[0] == pytest.approx(100 * case["numerator"] / case["denominator"]), json.dumps(case)


def test_a_copy_has_0_and_all_new_words_100():
    scores = PINC.score(MetricInput(["what a day it was", "what a day"], ["what a day it was", "one fine morning"], []))
    assert scores.sentences.tolist() == [0, 100]
    assert scores.corpus == 50


def test_only_the_outputs_n_grams_count():
    """New n-grams of the output count, lost ones of the source do not."""
    assert PINC.score(MetricInput(["a b c d e"], ["a b"], [])).corpus == 0
    assert PINC.score(MetricInput(["a b"], ["a b c d e"], [])).corpus > 0


def test_an_empty_output_has_0():
    assert PINC.score(MetricInput(["a b"], [""], [])).corpus == 0
