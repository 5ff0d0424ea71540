"""Markdown to HTML. Raw HTML in it is text, and a link may lead to the web alone."""

from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

RENDERER = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
KEEPING_LINES = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table").disable("image")
DOWN = 1  # its first heading stands below the page's own


def html_of(text: str) -> SafeString:
    """The text as HTML, its headings one level down and its tables in a part that scrolls."""
    return _html(RENDERER, text, DOWN)


@lru_cache(maxsize=50)
def guideline_html(text: str) -> SafeString:
    """A guideline as HTML: below the heading *Guideline*, its line breaks kept, its links in a page of their own."""
    return _html(KEEPING_LINES, text, DOWN + 1)


def _html(renderer: MarkdownIt, text: str, down: int) -> SafeString:
    tokens = renderer.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1:]) + down)}"
        if down > DOWN:
            _open_apart(token)
    html = renderer.renderer.render(tokens, renderer.options, {})
    return mark_safe(html)  # noqa: S308 (the renderer escapes all that it was given)


def _open_apart(block: Token) -> None:
    """The links of a block leave the work where it is."""
    for token in block.children or []:
        if token.type == "link_open":
            token.attrs |= {"target": "_blank", "rel": "noopener noreferrer"}
