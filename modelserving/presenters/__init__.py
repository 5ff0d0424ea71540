"""Stored facts of models in the form that pages show."""
