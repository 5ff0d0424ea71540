import pytest

from evaluation.metrics import METRICS, MetricInput
from evaluation.word_matching import wordnet_folder

TERP = METRICS["terp"]


@pytest.mark.parametrize("place", [0, 1, 2, 3], ids=["stems and synonyms", "stems", "synonyms", "neither"])
def test_equals_the_authors_program(place, texts, golden):
    """Edits and lengths of TERp itself, set to costs of 1; those with synonyms need the whole of WordNet."""
    case = golden("terp")["cases"][place]
    if case["settings"]["synonyms"] and wordnet_folder() is None:
        pytest.skip("WordNet is not installed")
    own = golden("terp")["own"]
    for expected, batch in (
        (case["texts"], texts),
        (case["own"], MetricInput([], own["outputs"], own["references"])),
    ):
        scores = TERP.score(batch, **case["settings"])
        assert scores.sufficient_statistics.tolist() == expected
        edits, length = map(sum, zip(*expected, strict=True))
        assert scores.corpus == pytest.approx(100 * edits / length)


def test_by_hand(tiny_wordnet):
    """Forms match by WordNet too; what is left is a word too many, and a shift of a synonym."""
    batch = MetricInput([], ["the doctors bought a car", "car the doctor bought an"], [["the doctor buys car"]] * 2)
    assert TERP.score(batch, stems=False).sentences[0] == pytest.approx(100 * 1 / 4)
    scores = TERP.score(MetricInput([], ["auto the doctors purchase"], [["the physician buys automobile"]]))
    assert scores.details == {"edits": 1, "reference_length": 4}
    assert scores.corpus == 25


def test_two_words_that_match_a_third_need_not_match_each_other(tiny_wordnet):
    def far(one, other):
        return TERP.score(MetricInput([], [one], [[other]]), stems=False).corpus

    assert far("railcar", "car") == far("car", "auto") == 0
    assert far("railcar", "auto") == 100


def test_with_neither_it_is_ter_without_a_beam(asset):
    batch = MetricInput([], asset.outputs[:150], [refs[:3] for refs in asset.references[:150]])
    ter = METRICS["ter"].score(batch)
    assert (
        TERP.score(batch, stems=False, synonyms=False, normalized=False).sufficient_statistics.tolist()
        == ter.sufficient_statistics.tolist()
    )
    assert TERP.score(batch, synonyms=False, normalized=False).corpus < ter.corpus


def test_the_signature_says_what_it_lacks(tiny_wordnet):
    signature = TERP.signature()
    assert "|synonyms:wordnet-3.0|paraphrases:no|costs:1|" in signature
    assert "|stem:no|" in TERP.signature(stems=False)
