"""What a browser would send of a form: its fields as the page has them."""

from html.parser import HTMLParser


class _Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self._select, self._taken = "", False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        name, value = has.get("name") or "", has.get("value") or ""
        if tag == "select":
            self._select, self._taken = name, False
        elif tag == "option" and self._select and ("selected" in has or not self._taken):
            if "selected" in has or self._select not in self.fields:
                self.fields[self._select] = value
            self._taken = self._taken or "selected" in has
        elif tag == "input" and name and (has.get("type") not in ("radio", "checkbox") or "checked" in has):
            self.fields[name] = value

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""


def form_fields(page: str) -> dict[str, str]:
    """The fields of all forms of a page by name, with the values that it was shown with."""
    parser = _Fields()
    parser.feed(page)
    return parser.fields
