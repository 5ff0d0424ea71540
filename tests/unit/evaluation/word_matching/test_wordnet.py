"""The reader of WordNet's files, held to NLTK's."""

import pytest
from support.nltk_wordnet import reader

from evaluation.metrics import METRICS
from evaluation.word_matching import DEBIAN, wordnet, wordnet_folder
from foundation.errors import UserError

WORDS = [
    "car", "cars", "Car", "automobile", "railcar", "doctor", "doctors", "doctored", "physician", "dr.", "feet", "foot",
    "illness", "illnesses", "bought", "buying", "purchases", "bigger", "large", "larger", "galore", "plenteous",
    "quickly", "", "s", "es", "nothing", "naïve", "motor", "two words", "aaa", "zzz", "speedily",
]  # fmt: skip


def test_synonyms_are_nltks(tiny_wordnet, monkeypatch):
    theirs = reader(tiny_wordnet, monkeypatch)
    ours = wordnet(tiny_wordnet)
    for word in WORDS:
        lemmas = {lemma.name() for synset in theirs.synsets(word) for lemma in synset.lemmas()}
        assert ours.synonyms(word) == {name for name in lemmas if "_" not in name} | {word}, word
        assert len(ours.synsets(word)) == len(set(theirs.synsets(word))), word


def test_by_hand(tiny_wordnet):
    ours = wordnet(tiny_wordnet)
    assert ours.synonyms("cars") == {"cars", "car", "auto", "automobile", "railcar"}
    assert ours.synonyms("galore") == {"galore", "plenteous"}
    assert ours.synonyms("nothing") == {"nothing"}
    assert ours.version == "3.0"


@pytest.mark.skipif(wordnet_folder() is None, reason="WordNet is not installed")
def test_the_whole_of_wordnet_has_its_known_senses():
    """wn(1) of WordNet 3.0: 'dog' has 7 senses as a noun and 1 as a verb; 'feet' is a form of 'foot' (11 and 3)."""
    ours = wordnet(wordnet_folder())
    assert len(ours.synsets("dog")) == 8
    assert len(ours.synsets("feet")) == 11
    assert {"physician", "doc", "medico"} <= ours.synonyms("doctors")


def test_where_it_is_looked_for(tiny_wordnet, tmp_path, monkeypatch):
    assert wordnet_folder() == tiny_wordnet
    monkeypatch.setenv("WORDNET", str(tmp_path / "nowhere"))
    assert wordnet_folder() is None
    monkeypatch.delenv("WORDNET")
    monkeypatch.setenv("RESTYLE_MODELS", str(tiny_wordnet.parent))
    assert wordnet_folder() == tiny_wordnet.resolve()
    monkeypatch.delenv("RESTYLE_MODELS")
    assert wordnet_folder() in (None, DEBIAN)


@pytest.mark.parametrize("name", ["meteor", "terp"])
def test_without_it_a_metric_says_what_to_install(name, texts, tmp_path, monkeypatch):
    monkeypatch.setenv("WORDNET", str(tmp_path))
    metric = METRICS[name]
    assert "apt install wordnet-base" in metric.unavailable()
    assert metric.unavailable(synonyms=False) == ""
    assert "synonyms:wordnet|" in metric.signature()
    with pytest.raises(UserError, match=rf"^metrics\.{name}\.synonyms: WordNet is not on this machine"):
        metric.score(texts)
    assert metric.score(texts, synonyms=False).corpus > 0
