"""A figure as PNG, for slides."""

from evaluation.rendering._base import Renderer
from evaluation.rendering._charts import png_of

RENDERER = Renderer("PNG", "image/png", "png", figure=png_of)
