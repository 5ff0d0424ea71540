"""Blinding: handles in place of keys, and a random item order, so that nobody can tell control items."""
