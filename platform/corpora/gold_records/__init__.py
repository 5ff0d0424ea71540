"""Rows of gold data, as all its formats read and write them. No Django."""
