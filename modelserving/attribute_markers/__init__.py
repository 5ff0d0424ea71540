"""Attribute markers: n-grams that tell a style; deleted from a text, retrieved from another (Li et al. 2018)."""
