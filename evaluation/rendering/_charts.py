"""A figure drawn without a browser, by the Vega-Lite that the pages have too (vl-convert, which runs it in Rust)."""

from collections.abc import Mapping
from typing import Any

from evaluation.tables import Figure

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


def svg_of(figure: Figure, title: str = "") -> str:
    """The chart as SVG on white, its words beside it for who cannot see it."""
    import vl_convert  # some 80 MB that only files of charts need

    spec = {**figure.spec, "data": {"values": list(figure.rows)}, "description": figure.describes}
    drawn = vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE, config=dict(CONFIG), allowed_base_urls=[])
    return str(drawn)


def png_of(figure: Figure, title: str = "") -> bytes:
    """The same chart as PNG."""
    import vl_convert

    return bytes(vl_convert.svg_to_png(svg_of(figure), scale=SCALE))


def pdf_of(figure: Figure, title: str = "") -> bytes:
    """The same chart as PDF, of the size in points that the SVG has."""
    import vl_convert

    return bytes(vl_convert.svg_to_pdf(svg_of(figure)))
