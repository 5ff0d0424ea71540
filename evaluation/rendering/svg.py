"""A figure as SVG."""

from evaluation.charts.figure_images import svg_of
from evaluation.rendering._base import Renderer

RENDERER = Renderer("SVG", "image/svg+xml", "svg", figure=svg_of)
