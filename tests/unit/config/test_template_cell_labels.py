"""A cell says the heading of its column, which stands in the template once."""

import pytest

from config.templating.cell_labels import with_cell_labels


def labels(head: str, row: str, cls: str = "cards") -> str:
    source = f'<table class="{cls}"><thead><tr>{head}</tr></thead><tbody><tr>{row}</tr></tbody></table>'
    written = with_cell_labels(source)
    return written.partition("<tbody><tr>")[2].partition("</tr>")[0]


@pytest.mark.parametrize(("head", "row", "expected"), [
    ("<th>A</th><th>B</th>", '<th scope="row">x</th><td class="num">y</td>', '<td class="num" data-label="B">'),
    ("<th>A</th><th>{% translate 'B' %}</th>", "<td>x</td><td>y</td>", """<td data-label="{% translate 'B' %}">"""),
    ("<th>A</th><th><a>B</a></th>", "<td>x</td><td>y</td>", '<td data-label="B">'),
    ("<th>A</th>{% if b %}<th>B</th>{% endif %}<th>C</th>",
     "<td>x</td>{% if b %}<td>y</td>{% endif %}<td>z</td>", '<td data-label="C">'),
    ("<th>A</th><th>B</th><th>C</th>",
     "<td>x</td>{% if b %}<td>y</td>{% else %}<td>none</td>{% endif %}<td>z</td>", '<td data-label="C">'),
    ("<th>A</th>{% for one in all %}<th>{{ one }}</th>{% endfor %}<th>C</th>",
     "<td>x</td>{% for one in all %}<td>y</td>{% endfor %}<td>z</td>", '<td data-label="C">'),
    ("<th>A</th><th>B</th>", "<td>{% for one in all %}{{ one }}{% endfor %}</td><td>y</td>", '<td data-label="B">'),
    ("<th>A</th><th>B</th><th>C</th>", '<td colspan="2">x</td><td>z</td>', '<td data-label="C">'),
    ("<th>A</th><th>B</th>", '<td>x</td><td data-label="other">y</td>', '<td data-label="other">'),
])  # fmt: skip
def test_of_the_last_cell(head: str, row: str, expected: str) -> None:
    assert labels(head, row).rpartition("<td")[1] + labels(head, row).rpartition("<td")[2].partition(">")[0] + ">" == (
        expected
    )


@pytest.mark.parametrize(("head", "row", "cls"), [
    ('<th><span class="visually-hidden">A</span></th>', "<td>x</td>", "cards"),
    ('<th>{% include "head.html" %}</th>', "<td>x</td>", "cards"),
    ("{% for one in all %}<th>{{ one }}</th>{% endfor %}", "{% for one in all %}<td>x</td>{% endfor %}", "cards"),
    ("<th>A</th>", "<td>x</td>", "heat"),
])  # fmt: skip
def test_of_a_cell_without(head: str, row: str, cls: str) -> None:
    assert labels(head, row, cls) == row


def test_a_cell_may_ask_for_none() -> None:
    assert labels("<th>A</th>", "<td data-label>x</td>") == "<td>x</td>"


def test_headings_are_those_of_columns() -> None:
    written = with_cell_labels('<table><thead><tr><th>A</th><th scope="row">B</th></tr></thead></table>')
    assert written == '<table><thead><tr><th scope="col">A</th><th scope="row">B</th></tr></thead></table>'


def test_a_heading_of_one_message_is_the_key_of_its_column_where_a_table_has_tools() -> None:
    head = """<th>{% translate 'A' %}</th><th class="num"><span>{% translate "B c" %}</span></th><th>{{ d }}</th>"""
    with_tools = with_cell_labels(f"<table {{% table_tools 'x' %}}><thead><tr>{head}</tr></thead></table>")
    assert """<th scope="col" data-key="A">{% translate 'A' %}</th>""" in with_tools
    assert """<th scope="col" class="num" data-key="B c"><span>""" in with_tools
    assert """<th scope="col">{{ d }}</th>""" in with_tools
    assert "data-key" not in with_cell_labels(f"<table><thead><tr>{head}</tr></thead></table>")
