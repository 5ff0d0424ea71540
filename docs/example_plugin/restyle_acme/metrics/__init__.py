"""Acme's metrics, one a file."""
