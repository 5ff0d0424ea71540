"""The sentences in which scripts count have all forms of a language, and the number where a form names it."""

import json

import pytest
from django.utils.translation import override

from config.templating.counts import COUNTS, counted
from foundation.translation import OF_KIND

KINDS = {"ar": set(OF_KIND), "de": {"one", "other"}, "zh-hans": {"other"}}


@pytest.mark.parametrize("language", KINDS)
def test_each_form_of_the_language_is_given(language):
    with override(language):
        assert set(json.loads(counted("columns"))) == KINDS[language]
        for name in COUNTS:
            forms = json.loads(counted(name))
            assert set(forms) <= KINDS[language]
            assert "%(n)s" in forms["other"]


def test_arabic_says_two_without_a_digit_and_three_with_one():
    with override("ar"):
        forms = json.loads(counted("columns"))
    assert (forms["two"], forms["few"]) == ("عمودان آخران", "%(n)s أعمدة أخرى")
