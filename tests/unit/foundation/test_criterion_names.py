"""Names of criteria: what is a name, and what words become."""

import unicodedata

import pytest

from foundation.criterion_names import as_criterion_name, is_criterion_name


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Verständlichkeit", "Verständlichkeit"), (unicodedata.normalize("NFD", "Flüssig"), "Flüssig"),
        ("Leichte Sprache?", "Leichte_Sprache"), ("1. Fluency", "1_Fluency"), ("व्याकरण", "व्याकरण"),
        ("الوضوح", "الوضوح"), ("易懂", "易懂"), ("x" * 70, "x" * 60), ("?!", ""),
    ],
)  # fmt: skip
def test_words_become_a_name_that_is_one(given: str, name: str) -> None:
    assert as_criterion_name(given) == name
    assert is_criterion_name(name) == bool(name)


@pytest.mark.parametrize(
    "wrong", ["", "a b", "a-b", "a=b", "a/b", "a\n", "x" * 61, unicodedata.normalize("NFD", "Flüssig")]
)
def test_other_names_are_none(wrong: str) -> None:
    assert not is_criterion_name(wrong)
