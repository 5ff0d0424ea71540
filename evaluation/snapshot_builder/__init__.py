"""Reads a study from the database into a snapshot: the plain arrays that reports, tables and figures are made from."""
