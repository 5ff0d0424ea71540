"""A negative number in a page that is written from the right has its sign at the left all the same."""

import pytest
from django.template import Context, Template
from django.utils import translation


@pytest.mark.parametrize(("language", "shown"), [
    ("en", "-0.25"), ("de", "-0,25"), ("he", "\u200e-0.25"), ("ar", "\u200e-0.25"),
])  # fmt: skip
def test_the_sign_stays_with_its_number(language, shown):
    with translation.override(language):
        assert Template("{{ value|floatformat:2 }}").render(Context({"value": -0.25})) == shown


def test_what_is_no_negative_number_is_as_django_writes_it():
    with translation.override("he"):
        page = Template('{{ much|floatformat:"0g" }} {{ none|floatformat:1|default_if_none:"–" }}')
        assert page.render(Context({"much": 12345.0, "none": None})) == "12,345 "
