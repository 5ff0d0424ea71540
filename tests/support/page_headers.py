"""What each page is sent with, and what the content security policy would refuse in it."""

from collections.abc import Iterator
from html.parser import HTMLParser

from django.http import HttpResponse

HEADERS = {"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin"}


class Inline(HTMLParser):
    """Collects inline scripts, styles and handlers."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note what the tag has of them."""
        names = dict(attributes)
        data = names.get("type") == "application/json"  # which no browser runs
        if tag == "style" or (tag == "script" and not names.get("src") and not data):
            self.found.append(f"<{tag}>")
        self.found += [f"{tag} {name}" for name in names if name == "style" or name.startswith(("on", "hx-on"))]
        self.found += [f"{tag} {value}" for value in names.values() if (value or "").startswith("javascript:")]


def wrong_in_page(answer: HttpResponse) -> Iterator[str]:
    """A sentence for each header that is not as it is to be, and for each thing that stands inline."""
    for name, value in HEADERS.items():
        if answer.get(name) != value:
            yield f"{name} is {answer.get(name)!r}"
    if "unsafe" in answer.get("Content-Security-Policy", "unsafe"):
        yield f"Content-Security-Policy is {answer.get('Content-Security-Policy')!r}"
    if answer["Content-Type"].startswith("text/html") and not answer.streaming:
        parser = Inline()
        parser.feed(answer.content.decode())
        yield from parser.found
