"""Gunning fog, Coleman-Liau, and their mean with FKGL."""

import numpy as np
import pytest

from evaluation.metrics import METRICS, MetricInput
from evaluation.readability import is_long, syllables

THREE = ("fkgl", "gunning_fog", "coleman_liau")


def scored(name, *outputs):
    return METRICS[name].score(MetricInput([], list(outputs), []))


def test_counts_and_fog_as_textstat_has_them(golden):
    for case in golden("readability")["texts"]:
        fog, liau = scored("gunning_fog", case["text"]), scored("coleman_liau", case["text"])
        assert {key: fog.details[key] for key in ("sentences", "words", "long_words")} == {
            key: case[key] for key in ("sentences", "words", "long_words")
        }
        assert liau.details["letters"] == case["letters"]
        assert fog.corpus == pytest.approx(case["gunning_fog"], abs=1e-9)


def test_fkgl_as_textstat_has_it_where_it_counts_the_same_syllables(golden):
    cases = [case for case in golden("readability")["texts"] if "fkgl" in case]
    assert len(cases) == 2
    for case in cases:
        assert scored("fkgl", case["text"]).corpus == pytest.approx(case["fkgl"], abs=1e-9)


def test_figures_have_one_syllable_as_textstat_has_them(golden):
    stored = golden("readability")
    assert {token: syllables(token) for token in stored["figures"]} == stored["figures"]
    case = stored["figures_text"]
    details = scored("fkgl", case["text"]).details
    assert details["words"] == case["words"]
    assert details["syllables"] == case["syllables"] - case["mg"] + 1  # textstat reads 'mg' as two letters


def test_the_example_of_coleman_and_liau(golden):
    """Its digits and 'U.S.' count as 8 letters and a word here, which makes 0.2 of a grade."""
    case = golden("readability")["coleman"]
    scores = scored("coleman_liau", case["text"])
    assert scores.details == {"sentences": 5, "words": case["words"] + 1, "letters": case["letters"] + 8}
    assert scores.corpus == pytest.approx(case["grade"], abs=0.2)
    bare = case["text"].replace("100", "").replace("U.S. ", "")
    expected = 0.0588 * 100 * 639 / 117 - 0.296 * 100 * 5 / 117 - 15.8
    assert scored("coleman_liau", bare).corpus == pytest.approx(expected)


def test_words_and_letters_of_asset_as_textstat_counts_them(golden, asset):
    counted = golden("readability")["asset"]
    for name, texts in (("asset.valid.orig", asset.sources), ("asset.valid.simp.0", asset.outputs)):
        details = scored("coleman_liau", *texts).details
        assert {key: details[key] for key in ("words", "letters")} == counted[name]


def test_decimals_end_no_sentence():
    """Where a decimal is taken for the end of a sentence, the text with more numbers reads as the easier one."""
    text = "The patient was given 2.5 mg of aspirin and 0.4 ml of saline at 37.5 degrees."
    assert scored("gunning_fog", text).details["sentences"] == 1
    assert scored("readability", text).corpus > scored("readability", text.replace("at 37.5", ". 37")).corpus


@pytest.mark.parametrize(
    ("token", "named", "long"),
    [
        ("abnormality,", True, True), ("patient", True, False), ("Philadelphia", True, False),
        ("Philadelphia", False, True), ("well-known-thing", True, False), ("self-examination", True, True),
        ("created", True, False), ("diseases", True, False), ("investigated", True, True), ("therapies", True, True),
        ("b.i.d.", True, False), ("1,200.55", True, False), ("HPV", False, False), ("(", True, False),
    ],
)  # fmt: skip
def test_which_words_are_long(token, named, long):
    assert is_long(token, named=named) is long


def test_names_are_told_only_within_a_sentence_that_is_not_all_capitals():
    assert scored("gunning_fog", "She saw Philadelphia.").details["long_words"] == 0
    assert scored("gunning_fog", "Philadelphia is big.").details["long_words"] == 1
    assert scored("gunning_fog", "SHE SAW PHILADELPHIA.").details["long_words"] == 1


def test_readability_is_the_mean_of_the_three():
    texts = ["The committee recommended an additional examination. It was short.", "Hypertension! Yes!", ""]
    scores = scored("readability", *texts)
    each = [scored(name, *texts) for name in THREE]
    assert scores.corpus == pytest.approx(sum(one.corpus for one in each) / 3)
    assert scores.sentences == pytest.approx(sum(one.sentences for one in each) / 3, nan_ok=True)
    assert {name: scores.details[name] for name in THREE} == pytest.approx(
        {name: one.corpus for name, one in zip(THREE, each, strict=True)}
    )


@pytest.mark.parametrize("name", [*THREE, "readability"])
def test_an_output_without_words_has_no_grade_and_adds_nothing(name):
    scores = scored(name, "The patient has hypertension.", "", "...")
    assert np.isnan(scores.sentences[1:]).all()
    assert scores.corpus == scores.sentences[0]
    assert scored(name, "").corpus is None
    assert scored(name, "").undefined == "None of the outputs has a word."


def test_a_clitic_that_stands_alone_is_a_word():
    assert syllables("n't") == 1
    assert scored("fkgl", "he did n't go .").details["words"] == 4


@pytest.mark.parametrize("name", ["fkgl", "gunning_fog", "coleman_liau", "readability"])
def test_not_pooled_it_is_the_mean_of_the_texts(name):
    """A long text does not count for more than a short one, and one without a word for nothing."""
    texts = ["The cat sat on the mat, and it sat there for days.", "Hypertension!", "..."]
    pooled, mean = (METRICS[name].score(MetricInput([], texts, []), pooled=pooled) for pooled in (True, False))
    assert mean.sentences[:2] == pytest.approx(pooled.sentences[:2])
    assert mean.corpus == pytest.approx(mean.sentences[:2].mean()) != pooled.corpus
    assert METRICS[name].corpus_of(mean.sufficient_statistics[[0, 0, 1]].sum(axis=0)) == pytest.approx(
        (2 * mean.sentences[0] + mean.sentences[1]) / 3
    )
    assert ("|corpus:mean-of-texts|" in mean.signature, "corpus:" in pooled.signature) == (True, False)
    assert mean.details == pooled.details
    nothing = METRICS[name].score(MetricInput([], ["..."], []), pooled=False)
    assert (nothing.corpus, nothing.undefined) == (None, "None of the outputs has a word.")


def test_ari_is_textstats_where_there_is_no_punctuation():
    """textstat 0.7.4 gives 4.0: 57 characters and 15 words of one sentence."""
    text = "the doctor gave the patient 20 small pills and told her to rest at home"
    scores = scored("ari", text)
    assert scores.details == {"sentences": 1, "words": 15, "letters": 57}
    assert scores.corpus == pytest.approx(4.71 * 57 / 15 + 0.5 * 15 - 21.43, abs=1e-12)
    assert round(scores.corpus, 1) == 4.0


def test_smog_is_textstats():
    """textstat 0.7.4 gives 11.9: seven words of three syllables and more in three sentences."""
    text = (
        "Patients received antibiotics yesterday because the bacteria multiplied. We saw the red cat run. The hospital "
        "closed an ordinary department."
    )
    scores = scored("smog", text)
    assert scores.details == {"sentences": 3, "words": 20, "long_words": 7}
    assert scores.corpus == pytest.approx(1.043 * np.sqrt(30 * 7 / 3) + 3.1291, abs=1e-12)
    assert round(scores.corpus, 1) == 11.9


@pytest.fixture
def familiar(tmp_path, monkeypatch):
    words = "the a cat sat on mat and it was happy because dog did not bark at stop"
    (tmp_path / "dale_chall.txt").write_text(words.replace(" ", "\n"))
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))


@pytest.mark.usefixtures("familiar")
def test_dale_chall_is_textstats_on_its_list():
    """textstat 0.7.13, `dale_chall_readability_score` with this list in the place of its own."""
    texts = [
        "The cat sat on the mat.",
        "The cat sat on the mat because the physician did not bark at it.",
        "Hypertension was happy. The dog did not bark.",
        "The cat sat on the mat and the dog sat on the mat and it was happy because the cat did not bark at the "
        "ottoman.",
    ]
    found = METRICS["dale_chall"].score(MetricInput([], texts, []), forms=False).sentences
    assert found == pytest.approx([0.2976, 5.458757, 5.80865, 1.896908], abs=1e-6)


@pytest.mark.usefixtures("familiar")
@pytest.mark.parametrize(
    ("text", "hard"),
    [("The cats barked.", 0), ("The dog stopped at Anna's.", 0), ("It was happier.", 1), ("Anna sat on 12 mats.", 1)],
)
def test_forms_names_and_figures_are_familiar_as_dale_and_chall_have_it(text, hard):
    assert METRICS["dale_chall"].score(MetricInput([], [text], [])).details["unfamiliar"] == hard


def test_without_their_list_it_says_what_to_put_where(monkeypatch):
    monkeypatch.delenv("RESTYLE_MODELS", raising=False)
    assert METRICS["dale_chall"].unavailable().startswith("There is no list of familiar words 'dale_chall.txt'")
