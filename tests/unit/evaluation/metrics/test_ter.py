import pytest

from evaluation.metrics import METRICS, Batch

TER = METRICS["ter"]


def test_equals_sacrebleu(texts, golden):
    for case in golden("ter")["cases"]:
        scores = TER.score(texts, **case["settings"])
        assert scores.corpus == pytest.approx(case["corpus"], abs=1e-9)
        assert scores.sentences == pytest.approx(case["sentences"], abs=1e-9)


def test_takes_differing_numbers_of_references(uneven, golden):
    assert TER.score(uneven).corpus == pytest.approx(golden("ter")["uneven"], abs=1e-9)


def test_by_hand():
    """A shifted phrase is one edit: 'c d' moved over 'a b', in a sentence of five words."""
    scores = TER.score(Batch([], ["c d a b e", "x b"], [["a b c d e"], ["a b"]]))
    assert scores.sentences == pytest.approx([20, 50])
    assert scores.details == {"edits": 2, "reference_length": 7}
    assert scores.corpus == pytest.approx(200 / 7)


def test_case_is_a_setting_and_said():
    batch = Batch([], ["A b"], [["a b"]])
    assert TER.score(batch).corpus == 0
    assert "|case:lc|" in TER.score(batch).signature
    assert TER.score(batch, lowercase=False).corpus == 50
    assert "|case:mixed|" in TER.score(batch, lowercase=False).signature


def test_empty_sides():
    scores = TER.score(Batch([], ["", "a b", ""], [["a b c"], [""], [""]]))
    assert scores.sentences.tolist() == [100, 100, 0]
    assert scores.corpus == pytest.approx(100 * 5 / 3)
    assert TER.score(Batch([], ["a b"], [[""]])).corpus == 100
