"""Acme's statistics, one a file."""
