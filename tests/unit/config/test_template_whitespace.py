"""Templates are written an element a line and compiled without the whitespace that shows nothing."""

from pathlib import Path

import pytest

from config.templating.whitespace import tokens_of, without_whitespace

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


def test_no_line_is_too_long():
    """A message is broken by `blocktranslate trimmed`, an address by `url ... as`, an attribute between its tags."""
    long = [
        f"{template.name}:{number}: {len(line)}"
        for template in TEMPLATES
        for number, line in enumerate(template.read_text().splitlines(), 1)
        if len(line) > LINE_LENGTH
    ]
    assert long == []
