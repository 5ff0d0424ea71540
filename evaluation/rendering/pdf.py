"""A figure as PDF, for papers: lines and letters, its fonts within."""

from evaluation.rendering._base import Renderer
from evaluation.rendering._charts import pdf_of

RENDERER = Renderer("PDF", "application/pdf", "pdf", figure=pdf_of)
