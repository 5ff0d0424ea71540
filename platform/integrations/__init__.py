"""Integrations with services outside: a folder is one, with its client, pages, settings and tables."""
