"""Acme's tables and figures, one a file."""
