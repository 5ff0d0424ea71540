"""A figure drawn: in a process that ends with it, since drawing takes 150 MiB and more."""

from typing import Any

from evaluation.charts import image_conversion
from evaluation.table_parts.contents import Figure
from foundation.side_process import in_process_of_its_own


def svg_of(figure: Figure, title: str = "") -> str:
    """The chart as SVG on white, its words beside it for who cannot see it."""
    return in_process_of_its_own(image_conversion.svg, _spec(figure))


def png_of(figure: Figure, title: str = "") -> bytes:
    """The same chart as PNG."""
    return in_process_of_its_own(image_conversion.png, _spec(figure))


def pdf_of(figure: Figure, title: str = "") -> bytes:
    """The same chart as PDF, of the size in points that the SVG has."""
    return in_process_of_its_own(image_conversion.pdf, _spec(figure))


def _spec(figure: Figure) -> dict[str, Any]:
    return {**figure.spec, "data": {"values": list(figure.rows)}, "description": figure.describes}
