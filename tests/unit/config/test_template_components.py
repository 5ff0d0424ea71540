"""A component's HTML stands in a template where the template names it."""

from pathlib import Path

import pytest
from django.template import TemplateSyntaxError, engines

from config.templating.components import with_components

ROOT = Path(__file__).resolve().parents[3]
COMPONENTS = sorted(path.stem for path in (ROOT / "templates" / "components").glob("*.html"))
PARTS = {
    "act": '{% comment %}x{% endcomment %}<form action="{% given at %}" data-ask="{% given ask %}">'
    '{% if_given name %}<input name="{% given name %}">{% endif_given %}'
    '<button class="button {% given kind %}" {% rest %}>{% content %}</button></form>',
    "box": '<section class="{% given class "card" %}">{% given head %}{% content %}</section>',
    "list": "{% for $rows %}<li>{{ $of.name }}</li>{% endfor %}",
    "head": "<h1>{% given heading|title %}</h1>",
    "nest": '<p><c-act at="{% given at %}">{% content %}</c-act></p>',
}


def written(source: str) -> str:
    return with_components(source, PARTS.__getitem__)


@pytest.mark.parametrize(("source", "expected"), [
    ("<p>{{ a }}</p>", "<p>{{ a }}</p>"),
    ("<c-act at=\"{% url 'x' %}\">Go</c-act>",
     "<form action=\"{% url 'x' %}\"><button class=\"button\">Go</button></form>"),
    ('<c-act at="{% url "x" %}" ask="{{ a|default:">" }}" kind="danger" name="n" form="f">Go</c-act>',
     '<form action="{% url "x" %}" data-ask="{{ a|default:">" }}"><input name="n">'
     '<button class="button danger" form="f">Go</button></form>'),
    ("<c-act{% if a %} hidden{% endif %}>Go</c-act>",
     '<form><button class="button"{% if a %} hidden{% endif %}>Go</button></form>'),
    ("<c-box/>", '<section class="card"></section>'),
    ('<c-box class="x"><c-head><h2>{{ a }}</h2></c-head> <p>b</p> </c-box>',
     '<section class="x"><h2>{{ a }}</h2><p>b</p></section>'),
    ('<c-box><c-box class="in">a</c-box></c-box>', '<section class="card"><section class="in">a</section></section>'),
    ('<c-nest at="x">Go</c-nest>', '<p><form action="x"><button class="button">Go</button></form></p>'),
    ('<c-list rows="one in all" of="one"/>', "{% for one in all %}<li>{{ one.name }}</li>{% endfor %}"),
    ('<c-head title="a"/><c-head title="a" heading="b"/>', "<h1>a</h1><h1>b</h1>"),
    ("<c-box>{% comment %}<c-none>{% endcomment %}</c-box>",
     '<section class="card">{% comment %}<c-none>{% endcomment %}</section>'),
])  # fmt: skip
def test_it_is_written_in_its_place(source: str, expected: str) -> None:
    assert written(source) == expected


@pytest.mark.parametrize(("source", "said"), [
    ("<c-none/>", "There is no component 'none': no file components/none.html."),
    ('<c-box id="a"></c-box>', '<c-box> takes class, head, and not id="a".'),
    ("<c-box><p>", "<c-box> is not closed."),
    ("<c-box></c-act>", "</c-act> closes nothing; open is <c-box>."),
    ("</c-box>", "</c-box> closes nothing."),
    ('<c-box></c-box class="x">', '</c-box class="x"> closes nothing; open is <c-box>.'),
    ('<c-box><c-head class="x">a</c-head></c-box>',
     '<c-head class="x">: what <c-box> is given as an element has no attributes.'),
])  # fmt: skip
def test_what_is_wrong_is_said(source: str, said: str) -> None:
    with pytest.raises(TemplateSyntaxError) as raised:
        written(source)
    assert str(raised.value) == said


def test_each_is_used() -> None:
    """By a template, or by another component."""
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "templates").rglob("*.html")]
    assert [name for name in COMPONENTS if not any(f"<c-{name}" in source for source in sources)] == []


def test_a_template_has_none_left_when_django_reads_it() -> None:
    engine = engines["django"].engine
    for path in (ROOT / "templates").rglob("*.html"):
        if path.parent.name != "components":
            source = engine.get_template(str(path.relative_to(ROOT / "templates"))).source
            assert "<c-" not in source
            assert "</c-" not in source
