"""A study read from the database into the plain arrays that reports, tables and figures are made from."""

from evaluation.recording.gathering import Counted, Gathered, Read, count_judgements, gather, read_study, record_of

__all__ = ["Counted", "Gathered", "Read", "count_judgements", "gather", "read_study", "record_of"]
