"""Keys under which texts are the same."""

import pytest

from foundation.text_keys import normalized_key, text_digest

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


@pytest.mark.parametrize(("one", "other"), [("p < 0.05", "p > 0.05"), ("किताब", "कताब"), ("?", "!"), ("a 1", "a 2")])
def test_what_says_something_else_stays_apart(one, other):
    assert text_digest(one) != text_digest(other)
