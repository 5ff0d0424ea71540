"""Acme's formats, one a file."""
