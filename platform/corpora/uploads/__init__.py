"""Uploaded files: texts for a direction, and files that wait in pieces for a job."""
