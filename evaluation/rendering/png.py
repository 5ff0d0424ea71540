"""A figure as PNG, for slides."""

from evaluation.charts.figure_images import png_of
from evaluation.rendering._base import Renderer

RENDERER = Renderer("PNG", "image/png", "png", figure=png_of)
