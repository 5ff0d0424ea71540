"""A figure drawn: beside the web process, which would hold for good what drawing takes."""

from typing import Any

from evaluation.charts import image_conversion
from evaluation.table_parts.contents import Figure
from foundation.side_process import in_side_process


def svg_of(figure: Figure, title: str = "") -> str:
    """The chart as SVG on white, its words beside it for who cannot see it."""
    return in_side_process(image_conversion.svg, _spec(figure))


def png_of(figure: Figure, title: str = "") -> bytes:
    """The same chart as PNG."""
    return in_side_process(image_conversion.png, _spec(figure))


def pdf_of(figure: Figure, title: str = "") -> bytes:
    """The same chart as PDF, of the size in points that the SVG has."""
    return in_side_process(image_conversion.pdf, _spec(figure))


def _spec(figure: Figure) -> dict[str, Any]:
    return {**figure.spec, "data": {"values": list(figure.rows)}, "description": figure.describes}
