"""A figure as an image: SVG for pages, PDF for papers (lines and letters, its fonts within), PNG for slides.

It is drawn in a process that ends with it, since drawing takes 150 MiB and more. The letters of PDF and PNG are of the
fonts of this machine; those of an SVG are of the machine that shows it.
"""

import html
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from evaluation.rendering._base import Renderer
from evaluation.table_parts.contents import Figure
from foundation.errors import UserError
from foundation.lazy_import import lazy_import
from foundation.side_process import in_process_of_its_own

# A chart drawn without a browser, by the Vega-Lite that the pages have too (vl-convert, which runs it in Rust).

vl_convert = lazy_import("vl_convert")  # it takes some 200 MB to draw: see `foundation.side_process`
VEGA_LITE = "5.21"
INK, SOFT, LINE = "#15201c", "#46534e", "#d9ded6"
CONFIG: Mapping[str, Any] = {
    "background": "#ffffff",
    "font": "sans-serif",
    "axis": {"labelColor": SOFT, "titleColor": INK, "gridColor": LINE, "domainColor": SOFT, "tickColor": SOFT},
    "legend": {"labelColor": SOFT, "titleColor": INK},
    "header": {"labelColor": INK, "titleColor": INK},
    "view": {"stroke": LINE},
}
DRAWN = re.compile(r"<text[^>]*>([^<]*)")
LETTER = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30"><text x="4" y="22" font-size="16" '
    'font-family="sans-serif">{}</text></svg>'
)
UNKNOWN = "\U0010fffd"  # for private use: drawn as any letter is that no font has
NAMED = 5  # letters that a refusal names
SCALE = 2.0  # of a PNG: two pixels a point, as it is read on paper


def svg(spec: Mapping[str, Any]) -> str:
    """The chart as SVG on white."""
    drawn = vl_convert.vegalite_to_svg(dict(spec), vl_version=VEGA_LITE, config=dict(CONFIG), allowed_base_urls=[])
    return str(drawn)


def png(spec: Mapping[str, Any]) -> bytes:
    """The same chart as PNG."""
    return bytes(vl_convert.svg_to_png(_legible(svg(spec)), scale=SCALE))


def pdf(spec: Mapping[str, Any]) -> bytes:
    """The same chart as PDF, of the size in points that the SVG has."""
    return bytes(vl_convert.svg_to_pdf(_legible(svg(spec))))


def _legible(drawn: str) -> str:
    """The SVG itself. UserError where a font for some of its letters is lacking: they would be boxes."""
    letters = {letter for text in DRAWN.findall(drawn) for letter in html.unescape(text) if not letter.isascii()}
    box = _letter(UNKNOWN)
    lacking = sorted(letter for letter in letters if unicodedata.category(letter)[0] in "LN" and _letter(letter) == box)
    if lacking:
        raise UserError(
            "This machine has no font with letters of the chart ({letters}): install one, such as Noto, or download "
            "the SVG, which has the fonts of the browser that shows it.",
            letters=" ".join(lacking[:NAMED]),
        )
    return drawn


def _letter(letter: str) -> bytes:
    return bytes(vl_convert.svg_to_png(LETTER.format(letter), scale=1))


def svg_of(figure: Figure, title: str = "") -> str:
    """The chart as SVG on white, its words beside it for who cannot see it."""
    return in_process_of_its_own(svg, _spec(figure))


def png_of(figure: Figure, title: str = "") -> bytes:
    """The same chart as PNG."""
    return in_process_of_its_own(png, _spec(figure))


def pdf_of(figure: Figure, title: str = "") -> bytes:
    """The same chart as PDF, of the size in points that the SVG has."""
    return in_process_of_its_own(pdf, _spec(figure))


def _spec(figure: Figure) -> dict[str, Any]:
    return {**figure.spec, "data": {"values": list(figure.rows)}, "description": figure.describes}


ENTRIES = {
    "pdf": Renderer("PDF", "application/pdf", "pdf", figure=pdf_of, is_picture=True),
    "png": Renderer("PNG", "image/png", "png", figure=png_of, is_picture=True),
    "svg": Renderer("SVG", "image/svg+xml", "svg", figure=svg_of, is_picture=True),
}
