"""What of a template is a message."""

import pytest

from tools.message_catalogs.project_messages import Message, template_messages


@pytest.mark.parametrize(("source", "message"), [
    ('{% translate "Submit (all)" %}', Message("Submit (all)")),
    ("{% translate 'It\"s' %}", Message('It"s')),
    ('{% translate "Open" context "button" %}', Message("Open", context="button")),
    ('{% include "a.html" with label=_("Send it") %}', Message("Send it")),
    ('{{ _("Send it") }}', Message("Send it")),
    ("{% blocktranslate trimmed %}\n  Item\n  {{ n }}\n{% endblocktranslate %}", Message("Item %(n)s")),
    ("{% blocktranslate count n=n trimmed %}{{ n }} item{% plural %}{{ n }} items{% endblocktranslate %}",
     Message("%(n)s item", "%(n)s items")),
])  # fmt: skip
def test_messages_of_a_template(source: str, message: Message) -> None:
    [found] = template_messages("{% load i18n %}" + source, "here.html")
    assert found[:3] == message[:3]


def test_the_line_is_said() -> None:
    [found] = template_messages('{% load i18n %}\n\n<p>{% translate "Submit" %}</p>', "here.html")
    assert found.place == ("here.html", 3)
