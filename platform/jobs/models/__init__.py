"""The tables of this room."""

from jobs.models.job import UNFINISHED, Job

__all__ = ["UNFINISHED", "Job"]
