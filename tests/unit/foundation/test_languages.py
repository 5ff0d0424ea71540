"""Languages as BCP 47 names them."""

import pytest

from foundation.errors import UserError
from foundation.languages import check_language


@pytest.mark.parametrize(
    ("given", "kept"),
    [("en", "en"), (" PT_br ", "pt-BR"), ("zh-hans", "zh-Hans"), ("sr-latn-rs", "sr-Latn-RS"), ("es-419", "es-419"),
     ("de-1996", "de-1996"), ("ca-valencia", "ca-valencia"), ("", ""), ("  ", "")],
)  # fmt: skip
def test_a_tag_is_kept_in_its_usual_form(given: str, kept: str) -> None:
    assert check_language(given) == kept


@pytest.mark.parametrize(
    "wrong", ["English", "e", "en-", "-en", "en--US", 'en" onload="x', "en-x-secret", "ａｂ", "en" + "-abcde" * 9]
)
def test_what_is_no_tag_is_refused_in_a_sentence(wrong: str) -> None:
    with pytest.raises(UserError, match="BCP 47") as refused:
        check_language(wrong)
    assert refused.value.where == "language"
