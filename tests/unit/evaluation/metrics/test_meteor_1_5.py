import numpy as np
import pytest

from evaluation.metrics import METRICS, MetricInput
from foundation.errors import UserError

METEOR = METRICS["meteor_1_5"]
there = pytest.mark.skipif(bool(METEOR.unavailable()), reason=METEOR.unavailable() or "there")


@there
def test_equals_pycocoevalcap(texts, uneven, golden):
    for key, batch in (("references", texts), ("uneven", uneven)):
        expected = golden("meteor_1_5")["cases"][key]
        scores = METEOR.score(batch)
        assert scores.sentences == pytest.approx(expected["sentences"], abs=1e-9)
        assert scores.corpus == pytest.approx(expected["corpus"], abs=1e-9)


@there
def test_letters_beyond_ascii_reach_the_program():
    scores = METEOR.score(MetricInput([], ["café ||| là\nbas", "café"], [["café là bas"], ["cafè"]]))
    assert scores.sentences.tolist() == [1, 0]


def test_the_score_of_the_programs_counts():
    """Its own answer to EVAL for these counts, of 'the cat sat on a rug' beside 'the cat sat on the mat'."""
    counts = np.zeros(23)
    counts[:8] = 6, 6, 3, 3, 2, 2, 2, 2
    counts[20:] = 1, 4, 4
    assert float(METEOR.corpus_of(counts)) == pytest.approx(0.36352335336458697, abs=1e-12)
    assert METEOR.corpus_of(np.zeros((2, 3, 23))).tolist() == [[0, 0, 0], [0, 0, 0]]


def test_it_says_what_is_missing(texts, tmp_path, monkeypatch):
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "there is no Java here" in METEOR.unavailable()
    (tmp_path / "java").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "java").chmod(0o755)
    assert METEOR.unavailable() == "There is no METEOR program 'meteor-1.5.jar' below RESTYLE_MODELS; put it there."
    assert "|jar:meteor-1.5.jar|" in METEOR.signature()
    (tmp_path / "own.jar").write_bytes(b"")
    assert "paraphrase-en.gz" in METEOR.unavailable(jar="own.jar")
    with pytest.raises(UserError, match=r"^metrics\.meteor_1_5: METEOR's paraphrases"):
        METEOR.score(texts, jar="own.jar")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "paraphrase-en.gz").write_bytes(b"")
    assert METEOR.unavailable(jar="own.jar") == ""
    with pytest.raises(UserError, match=r"METEOR 1\.5 ended with 3 and said: no word"):
        METEOR.score(texts, jar="own.jar")
    with pytest.raises(UserError, match="leads out of"):
        METEOR.unavailable(jar="../x.jar")


def test_it_is_another_metric_than_nltks():
    assert METEOR.label == "METEOR 1.5"
    assert "|like:meteor-1.5|" in METEOR.signature()
