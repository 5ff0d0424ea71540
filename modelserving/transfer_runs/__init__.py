"""Runs of models over the sources of a study or the lines of a file."""
