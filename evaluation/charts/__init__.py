"""Vega-Lite charts: pieces of them, dot plots, bars, scores over groups of units, and their image files."""
