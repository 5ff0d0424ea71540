"""Acme's transfer models, one a file."""
