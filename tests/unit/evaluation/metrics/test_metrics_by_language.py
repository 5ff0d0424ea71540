"""Words, case and definition by language: held to sacreBLEU where it has the language, else to what is plain."""

import pytest
import sacrebleu

from evaluation.languages import ENGLISH
from evaluation.metrics import METRICS, MetricInput
from evaluation.ngrams import missing_tokenizer, tokenizer_of
from evaluation.readability import lix_counts

THAI, ARABIC, HINDI = "ผู้ป่วยมีไข้สูง", "المريض يعاني من الحمّى.", "मरीज़ को तेज़ बुखार है।"


def scored(name, language, output, reference, source="", **settings):
    return METRICS[name].score(MetricInput([source], [output], [[reference]], language=language), **settings)


@pytest.mark.parametrize("language", ["en", "zh", "ru", "de", "ar", "hi", "tr", "cs", "he", "fi"])
def test_the_tokenizer_is_that_of_sacrebleu(language):
    assert tokenizer_of(language) == sacrebleu.BLEU(trg_lang=language).tokenizer_signature


@pytest.mark.parametrize("language", ["ja", "ko"])
def test_a_tokenizer_that_is_not_there_is_asked_for_and_another_may_be_chosen(language):
    if not missing_tokenizer(f"{language}-mecab"):
        pytest.skip("it is installed")
    text = {"ja": "患者は熱がある。", "ko": "환자는 열이 있습니다."}[language]
    scores = scored("bleu", language, text, text)
    assert scores.corpus is None
    assert f"`pip install sacrebleu[{language}]`" in scores.undefined
    char = scored("bleu", language, text, text, tokenize="char")
    assert char.corpus == pytest.approx(sacrebleu.BLEU(tokenize="char").corpus_score([text], [[text]]).score)
    assert "|tok:char|" in char.signature


@pytest.mark.parametrize(("language", "output", "reference"), [
    ("ja", "患者は高い熱がある。", "患者には熱がある。"),
    ("ko", "환자는 높은 열이 있습니다.", "환자에게 열이 있습니다."),
])  # fmt: skip
def test_words_of_japanese_and_korean_are_those_of_mecab(language, output, reference):
    """Where the dictionaries are installed; docs/metrics.md says how."""
    name = f"{language}-mecab"
    if why := missing_tokenizer(name):
        pytest.skip(why)
    assert tokenizer_of(language) == name
    authority = sacrebleu.BLEU(trg_lang=language)
    assert authority.tokenizer_signature.startswith(name)
    scores = scored("bleu", language, output, reference)
    assert scores.corpus == pytest.approx(authority.corpus_score([output], [[reference]]).score)
    assert 0 < scores.corpus < 100
    assert f"|tok:{name}-" in scores.signature
    for other in ("bleu_1", "self_bleu", "pinc", "rouge_1"):
        assert scored(other, language, output, reference, reference).undefined == "", other


@pytest.mark.parametrize(("language", "text"), [("th", THAI), ("ar", ARABIC), ("hi", HINDI), ("ru", "У больного жар."),
                                                ("zh", "病人发烧了。"), ("ko", "환자는 열이 있습니다.")])  # fmt: skip
@pytest.mark.parametrize("name", ["rouge_1", "rouge_2", "rouge_l"])
def test_the_same_text_shares_all_its_words_in_any_script(name, language, text):
    assert scored(name, language, text, text).corpus == 1


def test_marks_belong_to_their_letters():
    """One word of three is another: 'तेज़' ends on a nukta, which is no letter of its own."""
    assert scored("rouge_1", "hi", "मरीज़ को बुखार", "मरीज़ को तेज़").corpus == pytest.approx(2 / 3)


def test_turkish_capitals_are_those_of_turkish():
    for name in ("bleu_1", "chrf", "self_bleu", "ter", "edit_distance", "rouge_1"):
        small = "ısparta ili için ılık"
        settings = {} if name == "rouge_1" else {"lowercase": True}
        same, other = (
            scored(name, language, "ISPARTA İLİ İÇİN ILIK", small, small, **settings).corpus
            for language in ("tr", "de")
        )
        assert same == (0 if name in ("ter", "edit_distance") else pytest.approx(1 if name == "rouge_1" else 100))
        assert other != same, name


def test_what_counts_words_is_not_defined_where_none_are_parted():
    assert "th" in scored("ter", "th", THAI, THAI).undefined
    assert "th" in scored("chrf", "th", THAI, THAI, word_order=2).undefined
    assert scored("chrf", "th", THAI, THAI).corpus == 100
    assert "stems" in scored("rouge_1", "ru", "а", "а", stem=True).undefined


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_says_why_where_it_is_not_defined_and_signs_its_language(name):
    metric = METRICS[name]
    why = metric.undefined_for("zh")
    assert metric.undefined_for("") == metric.undefined_for("en") == ""
    assert ("zh" in why and why.endswith(".") and bool(metric.because)) if metric.languages else why == ""
    assert "|lang:en|" in metric.signature("en")
    if metric.languages == ENGLISH and metric.needs <= {"references", "terms"}:
        batch = MetricInput(["病"], ["病"], [["病"]], terms=[[["病"]]], language="zh")
        assert metric.score(batch).undefined == why
        assert metric.score(batch).corpus is None


def test_full_forms_are_found_in_a_text_without_spaces():
    batch = MetricInput(["x"], ["患者有高血压病史。"], [], terms=[[["高血压"]]], language="zh")
    assert METRICS["hit"].score(batch).corpus == 1


@pytest.mark.parametrize(("language", "text", "counts"), [
    ("sv", "Patienten behöver vila. Undersökningen visade ingenting allvarligt.", (2, 7, 5)),
    ("ru", "У больного сильный кашель и бронхит. Лечение длится 10 дней!", (2, 10, 4)),
    ("en", "The patient took 2.5 mg. Nothing unexpected happened.", (2, 8, 4)),
])  # fmt: skip
def test_lix_counts_by_hand(language, text, counts):
    assert lix_counts(text, language) == counts
    split, words, long = counts
    assert scored("lix", language, text, "").corpus == pytest.approx(words / split + 100 * long / words)
