"""What a language tag says of how a language is written."""

import pytest

from evaluation.languages import is_english, language_or_unnamed, lowered, primary, writes_spaces


@pytest.mark.parametrize("tag", ["", "en", "en-GB"])
def test_english_is_named_or_not(tag):
    assert is_english(tag)
    assert primary(tag) == "en"


@pytest.mark.parametrize(("tag", "spaces"), [("zh-Hans", False), ("ja", False), ("th", False), ("zh-Latn", True),
                                             ("ko", True), ("vi", True), ("", True)])  # fmt: skip
def test_which_languages_write_spaces(tag, spaces):
    assert writes_spaces(tag) is spaces


def test_small_letters_of_turkish_keep_their_dots():
    """Unicode's SpecialCasing, of tr and az alone."""
    assert lowered("ISPARTA İzmir", "tr") == "ısparta izmir"
    assert lowered("I\u0307zmir", "az-Latn") == "izmir"
    assert lowered("ISPARTA", "de") == "isparta"


@pytest.mark.parametrize(("named", "texts", "said"), [
    ("", ["Plain words."], ""), ("", ["Просто слова, and one more."], "und"), ("", ["普通的话"], "und"),
    ("ru", ["Plain words."], "ru"), ("", ["12 + 5", ""], ""), ("", [], ""),
])  # fmt: skip
def test_texts_in_other_letters_are_not_taken_for_english(named, texts, said):
    assert language_or_unnamed(named, texts) == said
