"""The report of a study: systems by human means and metrics, agreement, and how far each metric can be trusted."""

from evaluation.reporting.build import build_report

__all__ = ["build_report"]
