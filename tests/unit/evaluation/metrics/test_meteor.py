import random

import pytest
from nltk.translate.meteor_score import meteor_score
from support.nltk_wordnet import reader

from evaluation.metrics import METRICS, MetricInput
from evaluation.ngrams import tokenizer_for
from evaluation.word_matching import wordnet_folder

METEOR = METRICS["meteor"]
VOCABULARY = "the a car cars automobile auto doctor doctors physician buy bought buying purchase quickly rapidly . sat"


def theirs(batch, wordnet):
    split = tokenizer_for("13a", True)
    pairs = zip(batch.outputs, batch.references, strict=True)
    return [meteor_score([split(ref) for ref in refs], split(output), wordnet=wordnet) for output, refs in pairs]


def drawn(seed, n):
    numbers = random.Random(seed)  # noqa: S311

    def text():
        return " ".join(numbers.choices(VOCABULARY.split(), k=numbers.randint(0, 9)))

    return MetricInput(
        [], [text() for _ in range(n)], [[text() for _ in range(numbers.randint(1, 3))] for _ in range(n)]
    )


def test_equals_nltk(texts, uneven, tiny_wordnet, monkeypatch):
    wordnet = reader(tiny_wordnet, monkeypatch)
    for batch in (texts, uneven, drawn(1, 400)):
        scores = METEOR.score(batch)
        expected = theirs(batch, wordnet)
        assert scores.sentences == pytest.approx(expected, abs=1e-12)
        assert scores.corpus == pytest.approx(sum(expected) / len(expected), abs=1e-12)


def test_without_synonyms_it_is_nltks_with_a_wordnet_of_no_words(texts):
    class Empty:
        def synsets(self, word):
            return []

    batch = drawn(2, 400)
    assert METEOR.score(batch, synonyms=False).sentences == pytest.approx(theirs(batch, Empty()), abs=1e-12)
    assert METEOR.score(texts, synonyms=False).sentences == pytest.approx(theirs(texts, Empty()), abs=1e-12)


def test_asset_without_synonyms_equals_nltk(asset):
    class Empty:
        def synsets(self, word):
            return []

    batch = MetricInput([], asset.outputs[:200], [refs[:3] for refs in asset.references[:200]])
    assert METEOR.score(batch, synonyms=False).sentences == pytest.approx(theirs(batch, Empty()), abs=1e-12)


@pytest.mark.skipif(wordnet_folder() is None, reason="WordNet is not installed")
def test_nltks_published_example():
    """The doctest of nltk.translate.meteor_score: 0.6944, of the first reference and of all three."""
    output = "It is a guide to action which ensures that the military always obeys the commands of the party"
    references = [
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the guiding principle which guarantees the military forces always being under the command of the Party",
        "It is the practical guide for the army always to heed the directions of the party",
    ]
    scores = METEOR.score(MetricInput([], [output, output], [references[:1], references]))
    assert scores.sentences == pytest.approx([0.6944, 0.6944], abs=5e-5)


def test_by_hand(tiny_wordnet):
    """Three of three words match, in two pieces: 1 - 0.5 x (2/3)^3; one by its stem, one by a synonym."""
    scores = METEOR.score(MetricInput([], ["car the doctors"], [["the doctor auto"]]))
    assert scores.sentences[0] == pytest.approx(1 - 0.5 * (2 / 3) ** 3)
    assert METEOR.score(MetricInput([], ["car"], [["auto"]]), synonyms=False).corpus == 0


def test_synonyms_are_looked_up_for_stems_as_in_nltk(tiny_wordnet):
    """What is left is stemmed by then: 'automobile' is 'automobil', which WordNet does not know."""
    assert METEOR.score(MetricInput([], ["car"], [["automobile"]])).corpus == 0
    assert METEOR.score(MetricInput([], ["car"], [["auto"]])).corpus == pytest.approx(0.5)


def test_it_says_that_it_is_nltks(tiny_wordnet):
    assert METEOR.label == "METEOR (NLTK)"
    assert "|like:nltk|" in METEOR.signature()
    assert "|synonyms:wordnet-3.0|" in METEOR.signature()
    assert "|synonyms:no|" in METEOR.signature(synonyms=False)
