"""Full forms: looked up, and told by a rewrite, by hand."""

import pytest

from corpora.knowledge.abbreviations import Abbreviations
from foundation.errors import UserError
from modelserving.lexical_simplification.word_pieces import FullForms, abbreviations_of, right_form

MI = ("myocardial infarction", "mitral insufficiency")


def test_a_word_has_its_full_forms_up_to_a_number():
    many = tuple(f"form {number}" for number in range(12))
    forms = FullForms(Abbreviations({"MI": MI, "CO": many, "OR": ("operating room",)}), frozenset({"or"}))
    assert forms.forms("mi") == MI
    assert forms.forms("M.I.") == MI
    assert forms.forms("co", 8) == many[:8]
    assert forms.forms("or") == ()
    assert forms.forms("OR") == ("operating room",)
    assert forms.forms("heart") == ()


def test_everyday_words_of_a_dictionary_are_known():
    forms = FullForms.of({"IT": ("intrathecal",), "c.o.p.d.": ("chronic obstructive pulmonary disease",)})
    assert forms.forms("it") == ()
    assert forms.forms("IT") == ("intrathecal",)
    assert forms.forms("copd") == ("chronic obstructive pulmonary disease",)


@pytest.mark.parametrize("forms", [{}, {"two words": ("a",)}, {"mi": ()}, {"mi": ("a | b",)}, {"mi": (" ",)}])
def test_what_is_no_dictionary_is_a_sentence(forms: dict[str, tuple[str, ...]]):
    with pytest.raises(UserError, match="dictionary"):
        abbreviations_of(forms)


@pytest.mark.parametrize(("rewrite", "bracketed", "place"), [
    ("an old Myocardial Infarction", (), 0),
    ("mitral insufficiency", ("mitral insufficiency",), 1),
    ("a heart attack", ("a heart attack",), None),
    ("myocardial infarctions", (), None),
    ("myocardial infarction , mitral insufficiency", ("Mitral insufficiency",), 1),
])  # fmt: skip
def test_the_form_that_a_rewrite_has(rewrite: str, bracketed: tuple[str, ...], place: int | None):
    assert right_form(MI, rewrite, bracketed) == place


def test_a_longer_form_goes_before_one_that_is_part_of_it():
    assert right_form(("heart", "heart failure", "failure"), "his heart failure") == 1
