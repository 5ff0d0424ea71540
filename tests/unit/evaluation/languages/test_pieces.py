"""Words between white space, and characters where a language writes none."""

from evaluation.baselines import BASELINES, BaselineInput
from evaluation.corpus_statistics import Lengths, corpus_of, mean_tokens, words_and_sentences
from evaluation.languages import count_words, joined, pieces
from evaluation.readability import lix_counts
from evaluation.text_examples import lacking_in

CHINESE = "病人发烧39度，要住院。"


def test_characters_stand_for_words_and_numbers_stay_whole():
    assert pieces(CHINESE, "zh") == [*"病人发烧", "39", *"度，要住院。"]
    assert joined(pieces(CHINESE, "zh"), "zh") == CHINESE
    assert (count_words(CHINESE, "zh"), count_words("He has a fever .", "en")) == (9, 5)


def test_emoji_with_joiners_are_one_piece_and_no_word():
    """A family of four, a scientist and a thumb of some colour, each of several characters, are one sign each."""
    family, scientist, thumb = "👨\u200d👩\u200d👧\u200d👦", "👩\u200d🔬", "👍🏽"
    assert pieces(f"病{family}人{scientist}{thumb}", "zh") == ["病", family, "人", scientist, thumb]
    assert count_words(f"病{family}人{scientist}{thumb}", "zh") == 2
    assert joined(pieces(f"病{family}人", "zh"), "zh") == f"病{family}人"
    assert pieces(f"He is ill{scientist} now", "en") == ["He", "is", f"ill{scientist}", "now"]
    assert lix_counts(f"Han är sjuk{scientist} nu {family}.", "sv") == (1, 4, 0)


def test_baselines_of_a_language_without_spaces_are_such_texts():
    made = BaselineInput([CHINESE], [["病人要住院。"]], ["lay"], {"lay": ["发", "烧"]}, language="zh")
    (shuffled,) = BASELINES["shuffled_words"].make(made)
    assert sorted(shuffled) == sorted("病人要住院。")
    assert shuffled != "病人要住院。"
    assert BASELINES["prepended_style"].make(made) == [f"发烧{CHINESE}"]


def test_a_corpus_has_no_english_grade():
    corpus = corpus_of([CHINESE, "吃药。不要喝酒。"], "zh")
    assert (corpus.sentences, corpus.vocabulary, corpus.grades) == (3, 14, None)
    assert "zh" in corpus.ungraded
    assert mean_tokens([CHINESE], "zh") == 11
    assert words_and_sentences(["吃药。不要喝酒。"], "zh") == Lengths(6, 2, None, None)


def test_what_another_text_lacks_is_marked_character_by_character():
    assert lacking_in("病人要住院。", "病人发烧，要住院。").marks == [(2, 5)]
    assert lacking_in("He slept.", "He never slept.").marks == [(3, 8)]
