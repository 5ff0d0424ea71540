"""Applying a study file."""
