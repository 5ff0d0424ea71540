"""Acme's kinds of work, one a file."""
