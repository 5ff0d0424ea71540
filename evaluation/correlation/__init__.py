"""Coefficients of correlation: their arithmetic over all points, over systems and within items, with intervals."""
