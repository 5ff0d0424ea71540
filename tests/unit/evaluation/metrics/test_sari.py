from dataclasses import replace

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


@pytest.mark.parametrize("like", ["xu", "hf"])
@pytest.mark.parametrize("references", ["1", "9"])
def test_equals_the_programs_that_score_sentences(like, references, hundred, golden):
    expected = golden("programs")["sari"][like][references]
    scores = SARI.score(hundred(int(references)), like=like)
    assert scores.corpus == pytest.approx(expected["corpus"], abs=1e-9)
    assert scores.sentences[:10] == pytest.approx(expected["first"], abs=1e-9)
    assert sum(scores.details.values()) / 3 == pytest.approx(expected["corpus"], abs=1e-9)
    drawn = scores.sufficient_statistics[[0, 0, 3]].sum(axis=0)
    assert float(SARI.corpus_of(drawn)) == pytest.approx(scores.sentences[[0, 0, 3]].mean(), abs=1e-12)


def test_the_programs_differ_in_what_a_copy_has():
    """Of nothing to add or delete Xu's has 0, Hugging Face's 1; an empty text is one empty word."""
    copied = MetricInput(["a b c d"], ["a b c d"], [["a b c d"]])
    assert SARI.score(copied, like="xu").corpus == pytest.approx(100 / 3)
    assert SARI.score(copied, like="hf").corpus == 100
    empty = SARI.score(replace(copied, outputs=[""]), like="hf")
    assert empty.details == pytest.approx({"add": 75, "keep": 0, "delete": 0})


def test_the_signature_says_which_program():
    signatures = {like: SARI.signature("en", like=like) for like in ("easse", "xu", "hf")}
    assert "|like:easse|delete:f1|case:lc|tok:13a|" in signatures["easse"]
    assert "|like:xu|delete:precision|corpus:mean|case:lc|tok:none|" in signatures["xu"]
    assert "|like:hf|delete:precision|corpus:mean|case:lc|tok:13a|" in signatures["hf"]
    assert "|tok:13a|" in SARI.signature("en", like="xu", tokenize="13a")
    assert "|tok:zh|" in SARI.signature("zh", like="xu")


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
