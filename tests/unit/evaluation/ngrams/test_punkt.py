"""NLTK's splitter with parameters in the form of its data: what its own class does with them."""

import pytest
from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

from evaluation.corpus_statistics import corpus_of
from evaluation.ngrams import punkt_splitter

TEXT = "It was seen by Dr. Smith. The pt. Jones left at 5 p.m. He slept."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    english = tmp_path / "punkt_tab/english"
    english.mkdir(parents=True)
    (english / "abbrev_types.txt").write_text("dr\np.m\n", encoding="utf-8")
    (english / "sent_starters.txt").write_text("he\n", encoding="utf-8")
    (english / "collocations.tab").write_text("pt\tjones\n", encoding="utf-8")
    (english / "ortho_context.tab").write_text("he\t46\nsmith\t14\n", encoding="utf-8")
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    return english


def test_splits_as_nltk_with_the_same_parameters(folder):
    parameters = PunktParameters()
    parameters.abbrev_types, parameters.sent_starters = {"dr", "p.m"}, {"he"}
    parameters.collocations, parameters.ortho_context["he"] = {("pt", "jones")}, 46
    parameters.ortho_context["smith"] = 14
    split = punkt_splitter()
    assert split(TEXT) == PunktSentenceTokenizer(parameters).tokenize(TEXT)
    assert split(TEXT) == ["It was seen by Dr. Smith.", "The pt. Jones left at 5 p.m.", "He slept."]
    assert corpus_of([TEXT, TEXT]).sentences == 6


def test_is_none_where_the_parameters_are_not(monkeypatch):
    monkeypatch.delenv("RESTYLE_MODELS", raising=False)
    assert punkt_splitter() is None


def test_every_text_counts_as_often_as_it_stands_and_none_is_drawn(monkeypatch):
    monkeypatch.delenv("RESTYLE_MODELS", raising=False)
    texts = ["He sat. He ran.", *(f"Number {n} is a remarkably long sentence." for n in range(6000))]
    assert corpus_of(texts).sentences == 6002
    assert corpus_of([*texts, texts[0]]).sentences == 6004
    assert corpus_of(texts[:1] * 3).grades == pytest.approx(corpus_of(texts[:1]).grades)
    assert corpus_of([texts[0], texts[1], texts[1]]).grades[0] > corpus_of(texts[:2]).grades[0]
