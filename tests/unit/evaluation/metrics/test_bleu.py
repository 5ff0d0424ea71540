import math

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics import METRICS, MetricInput
from evaluation.ngrams import missing_tokenizer, tokenizer_for

BLEU = METRICS["bleu"]


def test_equals_sacrebleu(texts, golden):
    for case in golden("bleu")["cases"]:
        scores = BLEU.score(texts, **case["settings"])
        assert scores.corpus == pytest.approx(case["corpus"], abs=1e-9)
        assert scores.sentences == pytest.approx(case["sentences"], abs=1e-9)


def test_details_are_the_precisions_the_penalty_and_the_lengths(texts, golden):
    """sacreBLEU's verbose line is '68.1/46.3/... (BP = 1.000 ratio = 1.000 hyp_len = 47 ref_len = 47)'."""
    details = BLEU.score(texts).details
    verbose = golden("bleu")["cases"][0]["verbose"]
    precisions = "/".join(f"{details[f'precision_{n}']:.1f}" for n in range(1, 5))
    assert verbose.startswith(f"{precisions} (BP = {details['brevity_penalty']:.3f} ")
    assert verbose.endswith(f"hyp_len = {details['output_length']:.0f} ref_len = {details['reference_length']:.0f})")


def test_takes_differing_numbers_of_references(uneven, golden):
    assert BLEU.score(uneven).corpus == pytest.approx(golden("bleu")["uneven"], abs=1e-9)


def test_by_hand():
    """Three of four words, one of three pairs, none of two triples (halved once), none of one (halved twice)."""
    scores = BLEU.score(MetricInput([], ["the cat is here"], [["the cat sat here"]]))
    by_hand = 100 * math.exp((math.log(3 / 4) + math.log(1 / 3) + math.log(1 / 4) + math.log(1 / 4)) / 4)
    assert scores.corpus == pytest.approx(by_hand)


def test_an_empty_output_has_0_and_shortens_the_corpus(texts):
    same = [refs[0] for refs in texts.references]
    outputs = ["", *same[1:]]
    scores = BLEU.score(MetricInput([], outputs, [[text] for text in same]))
    assert scores.sentences[0] == 0
    assert scores.sentences[1:] == pytest.approx(100)
    assert scores.corpus == pytest.approx(100 * scores.details["brevity_penalty"])
    assert scores.details["brevity_penalty"] < 1


@pytest.mark.parametrize("system", ["orgin", "label", "retrieval"])
def test_equals_the_published_outputs_scores(amazon, golden, system):
    expected = golden("amazon")["systems"][system]
    scores = BLEU.score(amazon(system), tokenize="none", lowercase=True)
    assert len(scores.sentences) == expected["n"]
    assert scores.corpus == pytest.approx(expected["bleu"], abs=1e-9)


@pytest.mark.soak
def test_asset_one_rewrite_against_the_other_nine(asset, golden):
    assert BLEU.score(asset).corpus == pytest.approx(golden("asset")["bleu"]["corpus"], abs=1e-9)


counts = st.integers(0, 40)


@given(counts=st.lists(st.tuples(counts, counts), min_size=4, max_size=4), output=counts, reference=counts)
def test_the_corpus_score_of_any_sums_is_sacrebleus(counts, output, reference):
    """Smoothing, brevity penalty and orders without n-grams: its `compute_bleu` on the same counts."""
    correct = [min(pair) for pair in counts]
    total = [max(pair) for pair in counts]
    expected = sacrebleu.BLEU.compute_bleu(list(correct), list(total), output, reference, smooth_method="exp").score
    sums = np.array([*correct, *total, output, reference], dtype=float)
    assert float(BLEU.corpus_of(sums)) == pytest.approx(expected, abs=1e-9)


def test_words_of_moses_are_those_of_sacremoses_without_escapes():
    """sacremoses 0.2.0: `MosesTokenizer(lang="en").tokenize(text, return_str=True, escape=False)`, as in EASSE."""
    if why := missing_tokenizer("moses"):
        assert "pip install sacremoses" in why
        assert METRICS["bleu"].undefined_for("en", tokenize="moses") == why
        pytest.skip("sacremoses is not installed")
    split = tokenizer_for("moses", lowercase=False)
    assert " ".join(split("It's 3.5% (p<0.05), isn't it?")) == "It 's 3.5 % ( p < 0.05 ) , isn 't it ?"
