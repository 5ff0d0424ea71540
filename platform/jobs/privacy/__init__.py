"""Erasing a person from what jobs wrote."""
