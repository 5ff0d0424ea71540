"""The base of every room: registry, errors, papers, seeds, text. No Django."""
