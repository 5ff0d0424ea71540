"""Templates are written an element a line and compiled without the whitespace that shows nothing."""

import re
from pathlib import Path

import pytest

from config.templating.whitespace import DJANGO, VALUE, tokens_of, without_whitespace

TEMPLATES = sorted((Path(__file__).parents[3] / "templates").rglob("*.html"))

WRITTEN_AND_COMPILED = [
    ("<ul>\n  <li>\n    a\n  </li>\n</ul>\n", "<ul><li>a</li></ul>"),
    ("<p>\n  one\n  <b>two</b>\n  three\n</p>", "<p>one <b>two</b> three</p>"),
    ("<p>{% if a %}\n  <b>x</b>\n{% else %}\n  y\n{% endif %}</p>", "<p>{% if a %}<b>x</b>{% else %}y{% endif %}</p>"),
    ("<p>{% for a in b %}\n  <b>x</b>\n{% endfor %}</p>", "<p>{% for a in b %} <b>x</b> {% endfor %}</p>"),
    ("a{% if b %}\n  <p>c</p>\n{% endif %}\nd", "a{% if b %}<p>c</p>{% endif %} d"),
    ("{% load i18n %}\n<a>x</a>\n<a>y</a>", "{% load i18n %}<a>x</a> <a>y</a>"),
    ("{% url 'x' as y %}\n{{ y }}", "{% url 'x' as y %}{{ y }}"),
    ('{% translate "as said" %}\n{{ y }}', '{% translate "as said" %} {{ y }}'),
    (
        "<button\n    class='a'\n    id='b'>\n  go on\n</button>\n<b>x</b>",
        "<button class='a' id='b'>go on</button> <b>x</b>",
    ),
    ('<a\n    title="two\n lines"\n    {% if a %}b{% endif %}>', '<a title="two\n lines" {% if a %}b{% endif %}>'),
    ('<a href="{% if a > b %}"\n    x>y</a>', '<a href="{% if a > b %}" x>y</a>'),
    ("<pre>\n a\n  b </pre>\n", "<pre>\n a\n  b </pre>"),
    ("<textarea\n  rows='2'>\n a </textarea>", "<textarea rows='2'>\n a </textarea>"),
    ("{% blocktranslate %}\n a  b {% endblocktranslate %}", "{% blocktranslate %}\n a  b {% endblocktranslate %}"),
    ("a < b\n  {{ c }}", "a < b {{ c }}"),
    ("<title>{% block a %}{% endblock %} · b</title>", "<title>{% block a %}{% endblock %} · b</title>"),
    ("<title>b · {% block a %}{% endblock %}</title>", "<title>b · {% block a %}{% endblock %}</title>"),
]


@pytest.mark.parametrize(("written", "compiled"), WRITTEN_AND_COMPILED)
def test_whitespace_is_kept_where_it_shows(written, compiled):
    assert without_whitespace(written) == compiled


def test_nothing_else_is_lost():
    for template in TEMPLATES:
        source = template.read_text()
        assert "".join(token.text for token in tokens_of(source)) == source, template
        compiled = without_whitespace(source)
        assert "".join(compiled.split()) == "".join(source.split()), template
        assert without_whitespace(compiled) == compiled, template


LINE_LENGTH = 120
# A Django tag cannot be broken, and a line break in an attribute is part of its value. The end of an element's tag may
# stand with its last attribute.
TAG_OR_ATTRIBUTE = re.compile(rf"{DJANGO}|[\w:@-]+=(?:{VALUE})/?>?")


def too_long(source):
    """The lines of a template that are too long and can be broken."""
    lines = (line.strip() for line in source.splitlines() if len(line) > LINE_LENGTH)
    return [line for line in lines if not TAG_OR_ATTRIBUTE.fullmatch(line)]


BREAKABLE_LINES = [
    "<p>" + "word " * 30 + "</p>",
    '<a class="button" href="{% url \'' + "a" * 120 + "' %}\">",
    "href=\"{% url '" + "a" * 120 + '\' %}">{% translate "Open" %}',
    '{% include "' + "a" * 60 + '" %}{% include "' + "b" * 60 + '" %}',
    "{{ a }} " * 20,
]
WHOLE_LINES = [
    '{% include "part.html" with text="' + "word " * 30 + '" %}',
    "{# " + "word " * 30 + "#}",
    'aria-label="{% for a in b %}{% if a %}{{ a|default:"none" }}{% endif %}' + "word " * 20 + '{% endfor %}">',
    "content='" + '{"a": "b"}, ' * 12 + "'/>",
]


@pytest.mark.parametrize("line", BREAKABLE_LINES)
def test_a_line_that_can_be_broken_is_found(line):
    assert too_long(f"<p>\n    {line}\n</p>") == [line.strip()]


@pytest.mark.parametrize("line", WHOLE_LINES)
def test_a_tag_or_an_attribute_may_take_a_long_line(line):
    assert not too_long(f"<p>\n    {line}\n</p>")


def test_no_line_is_too_long():
    assert {template: lines for template in TEMPLATES if (lines := too_long(template.read_text()))} == {}
