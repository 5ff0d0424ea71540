"""A figure as PDF, for papers: lines and letters, its fonts within."""

from evaluation.charts.figure_images import pdf_of
from evaluation.rendering._base import Renderer

RENDERER = Renderer("PDF", "application/pdf", "pdf", figure=pdf_of)
