import numpy as np
import pytest

from evaluation.metrics import METRICS, MetricInput

FKGL = METRICS["fkgl"]


def grade(sentences: int, words: int, syllables: int) -> float:
    return 0.39 * words / sentences + 11.8 * syllables / words - 15.59


def test_hand_counted_texts(golden):
    for case in golden("fkgl")["cases"]:
        scores = FKGL.score(MetricInput([], [case["text"]], []), figures="spoken")
        assert scores.details == {key: case[key] for key in ("sentences", "words", "syllables")}, case["text"]
        assert scores.corpus == pytest.approx(grade(case["sentences"], case["words"], case["syllables"]))
        assert scores.sentences[0] == scores.corpus


def test_the_corpus_is_that_of_the_summed_counts():
    """1 sentence of 6 words and 6 syllables with 2 sentences of 2 words and 5 syllables: 3, 8 and 11."""
    scores = FKGL.score(MetricInput([], ["The cat sat on the mat.", "Hypertension! Yes!"], []))
    assert scores.corpus == pytest.approx(grade(3, 8, 11))
    assert scores.sentences == pytest.approx([grade(1, 6, 6), grade(2, 2, 5)])


def test_a_figure_is_a_word_of_one_syllable():
    """Flesch's rule; read out digit by digit, the more exact of two texts would be the harder one by grades."""
    exact, rounded = "She was given 12.5 mg a day.", "She was given ten drops a day."
    assert FKGL.score(MetricInput([], [exact], [])).corpus == FKGL.score(MetricInput([], [rounded], [])).corpus
    spoken = FKGL.score(MetricInput([], [exact], []), figures="spoken")
    assert spoken.details["syllables"] == 6 + 4 + 3
    assert "|figures:spoken|" in spoken.signature
    assert "|figures:one|" in FKGL.signature()


def test_an_output_without_words_has_none_and_adds_nothing():
    scores = FKGL.score(MetricInput([], ["The cat sat on the mat.", "", "..."], []))
    assert np.isnan(scores.sentences[1:]).all()
    assert scores.corpus == scores.sentences[0]
    nothing = FKGL.score(MetricInput([], ["", "..."], []))
    assert (nothing.corpus, nothing.undefined) == (None, "None of the outputs has a word.")
