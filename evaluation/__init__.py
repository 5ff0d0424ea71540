"""Metrics, human studies and the reports that compare systems."""
