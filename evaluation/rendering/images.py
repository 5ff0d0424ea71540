"""A figure as an image: SVG for pages, PDF for papers (lines and letters, its fonts within), PNG for slides.

It is drawn in a process that ends with it, since drawing takes 150 MiB and more.
"""

from collections.abc import Mapping
from typing import Any

from evaluation.rendering._base import Renderer
from evaluation.table_parts.contents import Figure
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
SCALE = 2.0  # of a PNG: two pixels a point, as it is read on paper


def svg(spec: Mapping[str, Any]) -> str:
    """The chart as SVG on white."""
    drawn = vl_convert.vegalite_to_svg(dict(spec), vl_version=VEGA_LITE, config=dict(CONFIG), allowed_base_urls=[])
    return str(drawn)


def png(spec: Mapping[str, Any]) -> bytes:
    """The same chart as PNG."""
    return bytes(vl_convert.svg_to_png(svg(spec), scale=SCALE))


def pdf(spec: Mapping[str, Any]) -> bytes:
    """The same chart as PDF, of the size in points that the SVG has."""
    return bytes(vl_convert.svg_to_pdf(svg(spec)))


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
    "pdf": Renderer("PDF", "application/pdf", "pdf", figure=pdf_of),
    "png": Renderer("PNG", "image/png", "png", figure=png_of),
    "svg": Renderer("SVG", "image/svg+xml", "svg", figure=svg_of),
}
