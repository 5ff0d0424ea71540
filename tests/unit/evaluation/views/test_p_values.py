"""A p on a page is never 0.000: no test of drawn permutations can say so."""

import pytest
from django.template.loader import render_to_string
from django.utils import translation


@pytest.mark.parametrize(
    ("language", "p", "shown"),
    [("en", 0.0004, "&lt; 0.001"), ("en", 0.0312, "= 0.031"), ("de", 0.0004, "&lt; 0,001"), ("de", 0.5, "= 0,500")],
)
def test_a_p_is_shown_with_its_sign(language: str, p: float, shown: str) -> None:
    with translation.override(language):
        assert render_to_string("evaluation/_p_value.html", {"p": p, "sign": "= "}).strip() == shown


def test_no_other_template_writes_a_p_by_itself() -> None:
    from config.settings import TEMPLATES

    folder = TEMPLATES[0]["DIRS"][0]
    by_themselves = [
        path.name for path in folder.rglob("*.html") if "corrected|floatformat" in path.read_text(encoding="utf-8")
    ]
    assert by_themselves == []
