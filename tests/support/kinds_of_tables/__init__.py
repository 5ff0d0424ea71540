"""A small made table of each kind that people hold, what it asks, and what is right."""

from support.kinds_of_tables.judgements import JUDGEMENTS, SYSTEMS, Judged
from support.kinds_of_tables.texts import TEXTS, Kind

__all__ = ["JUDGEMENTS", "MOST_ACTIONS", "SYSTEMS", "TEXTS", "Judged", "Kind"]

MOST_ACTIONS = 12
