"""Edits that make a text of another: KEEP, DELETE, ADD and STOP. What they are, how they are found, and as batches."""
