"""Markdown to HTML. Raw HTML in it is text, and a link may lead to the web alone."""

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

RENDERER = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
DOWN = 1  # its first heading stands below the page's own


def html_of(text: str) -> SafeString:
    """The text as HTML, its headings one level down and its tables in a part that scrolls."""
    tokens = RENDERER.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1:]) + DOWN)}"
    html = RENDERER.renderer.render(tokens, RENDERER.options, {})
    return mark_safe(html)  # noqa: S308 (the renderer escapes all that it was given)
