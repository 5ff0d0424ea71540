import pytest

from evaluation.metrics import METRICS, MetricInput

NAMES = ["rouge_1", "rouge_2", "rouge_l"]


@pytest.mark.parametrize("name", NAMES)
def test_equals_googles_package(name, texts, uneven, golden):
    """With two references, of which the one with the best F1 counts, plain and stemmed."""
    stored = golden("rouge")
    for key, stem in (("plain", False), ("stem", True)):
        for of, expected in stored["cases"][name][key].items():
            scores = METRICS[name].score(texts, of=of, stem=stem)
            assert scores.sentences == pytest.approx(expected, abs=1e-9)
            assert scores.corpus == pytest.approx(sum(expected) / 6, abs=1e-9)
    assert METRICS[name].score(uneven).sentences == pytest.approx(stored["uneven"][name], abs=1e-9)


def scored(name, output, reference, **settings):
    return METRICS[name].score(MetricInput([], [output], [[reference]]), **settings).sentences[0]


def test_by_hand():
    """Of 'a b c d' and 'a c b d e': four words and one pair shared; the longest common subsequence is of three."""
    assert scored("rouge_1", "a b c d", "a c b d e", of="recall") == pytest.approx(4 / 5)
    assert scored("rouge_1", "a b c d", "a c b d e", of="precision") == pytest.approx(1)
    assert scored("rouge_1", "a b c d", "a c b d e") == pytest.approx(8 / 9)
    assert scored("rouge_2", "a b c d", "a x b c", of="precision") == pytest.approx(1 / 3)
    assert scored("rouge_l", "a b c d", "a c b d e") == pytest.approx(2 * 3 / 9)


def test_a_word_counts_as_often_as_it_stands_in_both():
    assert scored("rouge_1", "the the the", "the cat", of="precision") == pytest.approx(1 / 3)


def test_stemming_is_a_setting_and_spares_short_words():
    assert scored("rouge_1", "running doses", "run dose") == 0
    assert scored("rouge_1", "running doses", "run dose", stem=True) == 1
    assert scored("rouge_1", "bus", "bu", stem=True) == 0


def test_other_scripts_are_words_where_asked_for():
    assert scored("rouge_1", "das Herz schlägt", "das Herz schlägt schnell") == pytest.approx(2 * 4 / 9)
    assert scored("rouge_1", "сердце бьётся", "сердце бьётся") == 0
    assert scored("rouge_1", "сердце бьётся", "сердце бьётся", tokens="unicode") == 1


def test_the_signature_says_how_references_are_taken(texts):
    signature = METRICS["rouge_l"].score(texts, stem=True).signature
    assert (
        signature == "metric:rouge_l|nrefs:2|rouge:L|of:f1|case:lc|tok:ascii|stem:porter|refs:best-f1|restyle:rouge_l.3"
    )
