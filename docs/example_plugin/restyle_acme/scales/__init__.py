"""Acme's scales, one a file."""
