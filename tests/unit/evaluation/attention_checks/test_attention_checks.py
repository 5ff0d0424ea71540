"""Attention checks: what each kind makes of a text, and what it cannot make."""

import numpy as np
import pytest

from evaluation.attention_checks import ATTENTION_CHECKS, CheckTexts
from evaluation.attention_checks.broken import run_of

SOURCE = "gotta go now"


def made(kind, text, others=()):
    return ATTENTION_CHECKS[kind].make(CheckTexts(SOURCE, text, others), np.random.default_rng(1))


@pytest.mark.parametrize(
    ("text", "flipped"),
    [
        ("I don't like it.", "I do like it."),
        ("I CAN'T GO.", "I CAN GO."),
        ("You should leave now.", "You should not leave now."),
        ("Can you help me with it?", "Can you help me without it?"),  # a question's verb stays
        ("He did not come.", "He did come."),
        ("Always read it.", "Never read it."),
        ("It took 3 days.", "It took 13 days."),
        ("Wow!", None),
    ],
)
def test_the_meaning_is_flipped_and_the_style_kept(text, flipped):
    assert made("flipped", text) == flipped


def test_a_run_of_words_gives_way_to_words_from_elsewhere():
    words = "one two three four five six seven eight nine".split()  # noqa: SIM905
    other = "a b c d e f"
    broken = made("broken", " ".join(words), [other]).split()
    foreign = [word for word in broken if word in other.split()]
    assert (len(broken), len(foreign)) == (9, run_of(9))
    assert " ".join(foreign) in other
    assert [word for word in broken if word in words] == [word for word in words if word in broken]


def test_where_there_are_no_words_from_elsewhere_they_change_their_order():
    broken = made("broken", "one two three four", ["x"])
    assert broken != "one two three four"
    assert sorted(broken.split()) == ["four", "one", "three", "two"]
    assert made("broken", "one", []) is None


def test_how_many_words_are_replaced():
    assert [run_of(n) for n in (1, 2, 5, 6, 8, 9, 15, 16, 20, 21, 40)] == [1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 10]


def test_the_source_is_copied():
    assert made("copied", "I must leave now.") == SOURCE
    assert ATTENTION_CHECKS["copied"].of(CheckTexts(SOURCE, "I must leave now.", ())) == SOURCE


def made_in(language, kind, text, others=()):
    return ATTENTION_CHECKS[kind].make(CheckTexts(SOURCE, text, others, language), np.random.default_rng(1))


def test_english_negations_stand_in_no_other_language():
    """In German "was" is what, "all" is space and "her" is hither."""
    assert made_in("de", "flipped", "Ich weiß, was gut ist.") is None
    assert made_in("de", "flipped", "Es war all das, was 3 Tage dauerte.") == "Es war all das, was 13 Tage dauerte."
    assert made_in("und", "flipped", "never") is None


@pytest.mark.parametrize(("language", "text", "flipped"), [
    ("zh", "他于3月12日去看了医生。", "他于13月12日去看了医生。"), ("ko", "12월에 갔다.", "40월에 갔다."),
    ("ar", "ذهب يوم ١٢ مارس.", "ذهب يوم ٤٠ مارس."), ("hi", "वह १२ मार्च को गया।", "वह ४० मार्च को गया।"),
    ("de", "Vitamin B12 und 12mg", None),
    ("de", "Es waren 1.250 Tage, 2,5 davon 7.", "Es waren 1.250 Tage, 2,5 davon 25."),
])  # fmt: skip
def test_numbers_of_all_scripts_are_changed_in_their_own_digits(language, text, flipped):
    assert made_in(language, "flipped", text) == flipped


def test_a_text_without_spaces_is_broken_by_its_characters():
    text, other = "病人三天前开始发烧", "检查显示肝脏的指标"
    broken = made_in("zh", "broken", text, [other])
    assert broken != text
    assert " " not in broken
    foreign = [character for character in broken if character in other]
    assert (len(broken), len(foreign)) == (9, run_of(9))
    assert "".join(foreign) in other
