"""Keys under which texts are the same."""

import pytest

from foundation.text_keys import normalized_key, text_digest, text_key

SAME = [
    ("It 's FINE !", "it\u2019s fine"),
    ("pt was given asa .", "Pt was given ASA."),
    ("ﬁne ＡＢＣ", "Fine abc"),
    ("Straße", "STRASSE"),
    ("cafe\u0301", "café"),
    ("zero\u200bwidth", "zero width"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_case_spaces_punctuation_and_unicode_s_form_do_not_count(one, other):
    assert normalized_key(one) == normalized_key(other)
    assert text_digest(one) == text_digest(other)
    assert -(2**63) <= text_digest(one) < 2**63


@pytest.mark.parametrize(("one", "other"), [(" a\tb \n", "a b"), ("cafe\u0301", "café"), ("", "  ")])
def test_one_text_is_the_same_in_nfc_and_but_for_white_space(one, other):
    assert text_key(one) == text_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("He left.", "he left."), ("Ok!", "Ok"), ("café", "cafe"), ("ﬁne", "fine"), ("Straße", "Strasse")],
)
def test_capitals_punctuation_and_accents_make_another_text(one, other):
    """In formality transfer capitals are the edit: raters gave one of two such systems -2 and the other +2."""
    assert text_key(one) != text_key(other)


@pytest.mark.parametrize(("one", "other"), [("p < 0.05", "p > 0.05"), ("किताब", "कताब"), ("?", "!"), ("a 1", "a 2")])
def test_what_says_something_else_stays_apart(one, other):
    assert text_digest(one) != text_digest(other)
