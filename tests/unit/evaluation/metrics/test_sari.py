import pytest

from evaluation.metrics import METRICS, MetricInput

SARI = METRICS["sari"]


def test_equals_easse(texts, golden):
    for case in golden("sari")["cases"]:
        scores = SARI.score(texts, **case["settings"])
        assert scores.corpus == pytest.approx(case["corpus"], abs=1e-9)
        assert scores.details == pytest.approx({name: case[name] for name in ("add", "keep", "delete")}, abs=1e-9)
        assert scores.sentences == pytest.approx(case["sentences"], abs=1e-9)


def test_differing_numbers_of_references_count_as_if_repeated(uneven, golden):
    expected = golden("sari")["uneven"]
    scores = SARI.score(uneven)
    assert scores.corpus == pytest.approx(expected["corpus"], abs=1e-9)
    assert scores.details == pytest.approx({name: expected[name] for name in ("add", "keep", "delete")}, abs=1e-9)
    assert scores.sentences == pytest.approx(expected["sentences"], abs=1e-9)


def test_by_hand():
    """One word: 'a' of 'a b' kept rightly, 'b' deleted rightly, 'c' added where 'd' was wanted; no longer n-gram is
    kept or added rightly, 'a b' is deleted rightly."""
    scores = SARI.score(MetricInput(["a b"], ["a c"], [["a d"]]))
    assert scores.details == pytest.approx({"add": 0, "keep": 25, "delete": 50})
    assert scores.corpus == pytest.approx(25)


def test_an_empty_output_scores_for_what_it_deleted():
    scores = SARI.score(MetricInput(["a b"], [""], [["a"]]))
    # Deleted 'a', 'b' and 'a b'; wanted 'b' and 'a b': F1 2/3 of words, 1 of pairs, 0 of the orders that are not there.
    assert scores.details == pytest.approx({"add": 0, "keep": 0, "delete": 100 * (2 / 3 + 1) / 4})


@pytest.mark.soak
def test_asset_one_rewrite_against_the_other_nine(asset, golden):
    expected = golden("asset")["sari"]
    scores = SARI.score(asset)
    assert scores.corpus == pytest.approx(expected["corpus"], abs=1e-9)
    assert scores.details == pytest.approx({name: expected[name] for name in ("add", "keep", "delete")}, abs=1e-9)
    assert scores.sentences[:20] == pytest.approx(expected["first"], abs=1e-9)
