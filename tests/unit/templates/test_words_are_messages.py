"""No word of a template stands outside gettext: its text, and the attributes that are shown or read out."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

TEMPLATES = Path(__file__).parents[3] / "templates"
FILES = sorted(path for path in TEMPLATES.rglob("*.html") if path.name != "gallery.html")  # of developers alone
MESSAGE = re.compile(
    r"{%\s*block page_class\s*%}.*?{%\s*endblock\s*%}|{%\s*blocktranslate\b.*?{%\s*endblocktranslate\s*%}"
    r"|{%\s*comment\b.*?{%\s*endcomment\s*%}|{#.*?#}|{%.*?%}|{{.*?}}",
    re.DOTALL,
)
READ = {"title", "aria-label", "aria-description", "placeholder", "alt", "data-say", "data-copied", "data-label"}
READ |= {"label", "heading", "lead", "text", "go", "ask", "yes", "act", "first"}  # of components
NAMES = {"Restyle", "CSV", "TSV", "JSON", "JSONL", "SHA-256"}
WITHOUT_WORDS = {"code", "script", "style", "kbd", "pre"}
VOID = {"br", "hr", "img", "input", "link", "meta", "use", "path", "col"}
WORD = re.compile(r"[A-Za-z][A-Za-z-]+\d*")


class Words(HTMLParser):
    """The words of a template whose tags were taken out."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self._open.append(tag)
        self.found += [value for name, value in attrs if name in READ and value and self._said(value)]

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        markup = '="' in data  # attributes of an element whose name a tag of Django's chooses
        if not markup and not WITHOUT_WORDS.intersection(self._open) and self._said(data):
            self.found.append(" ".join(data.split()))

    @staticmethod
    def _said(text: str) -> bool:
        return any(word not in NAMES for word in WORD.findall(text))


def untranslated(source: str) -> list[str]:
    """What a template says in words of its own."""
    reader = Words()
    reader.feed(MESSAGE.sub(" ", source))
    return reader.found


def test_templates_have_no_words_of_their_own() -> None:
    assert {path: words for path in FILES if (words := untranslated(path.read_text(encoding="utf-8")))} == {}


@pytest.mark.parametrize("source", [
    "<p>Submit</p>", '<button aria-label="Close it">x</button>', '<a title="{{ name }} is done">x</a>',
    "<p>{% translate 'Submit' %} now</p>", '<c-act ask="Remove it?">{{ a }}</c-act>',
    '<c-tile label="Items">1</c-tile>',
])  # fmt: skip
def test_words_are_found(source: str) -> None:
    assert untranslated(source)


def test_messages_names_and_code_are_none() -> None:
    said = '<p class="card">{% translate "Submit" %} {{ name }} <code>pip</code> CSV · 95%</p>'
    assert not untranslated(said + "{% blocktranslate %}<b>Submit</b> now{% endblocktranslate %}")
