"""A figure as SVG."""

from evaluation.rendering._base import Renderer
from evaluation.rendering._charts import svg_of

RENDERER = Renderer("SVG", "image/svg+xml", "svg", figure=svg_of)
