"""The words in English that a page in Chinese shows: Latin letters tell them from its own.

A text of a page is English where it is a message whose translation is another, or where two words of English grammar
stand in it. What people wrote, code, names (of metrics, models, options and their values), and the tables and figures
that papers quote in English are left out.
"""

import re
from functools import cache
from html.parser import HTMLParser

GRAMMAR = re.compile(r"\b(?:the|of|is|are|and|with|this|which|has|by|no)\b")
SAID = ("aria-label", "title", "placeholder", "alt", "data-say", "data-confirm")
EMPTY = {"br", "hr", "img", "input", "link", "meta", "source", "wbr", "use", "path", "circle", "rect", "line", "col"}
SILENT = {"script", "style", "code", "pre", "kbd", "textarea", "bdi", "cite", "i", "svg"}
OWN = {"text", "table-or-figure"}  # classes


class Words(HTMLParser):
    """Collects the texts and the spoken attributes of a page outside of what is not in the page's language."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[bool] = []  # whether each element that is open is left out
        self.found: list[str] = []
        self.value = ""  # of the choice that is open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        out = bool(self.open and self.open[-1]) or tag in SILENT or bool(OWN & set(given.get("class", "").split()))
        out = out or given.get("dir") == "auto" or ("lang" in given and tag != "html")
        self.value = given.get("value", "") if tag == "option" else ""
        if not out:
            self.found += [given[name] for name in SAID if given.get(name)]
        if tag not in EMPTY:
            self.open.append(out)

    def handle_endtag(self, tag: str) -> None:
        if tag not in EMPTY and self.open:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if not (self.open and self.open[-1]) and data.strip() != self.value:
            self.found.append(data)


def english_words(page: str) -> list[str]:
    words = Words()
    words.feed(page)
    texts = dict.fromkeys(" ".join(text.split()).strip(" :·,") for text in words.found)
    return [text for text in texts if text in translated_messages() or len(GRAMMAR.findall(text)) > 1]


@cache
def translated_messages() -> frozenset[str]:
    """The messages with letters that Chinese says otherwise, but for names."""
    from evaluation.metrics import METRICS
    from modelserving.transfer import TRANSFERS

    names = {registry[name].label for registry in (METRICS, TRANSFERS) for name in registry}
    from django.utils.translation.trans_real import translation

    catalog = translation("zh-hans")._catalog  # type: ignore[attr-defined]
    pairs = ((id if isinstance(id, str) else id[0], text) for id, text in catalog.items())
    return (
        frozenset(id for id, text in pairs if re.search("[A-Za-z]{2}", id) and id != text and "\x04" not in id) - names
    )
