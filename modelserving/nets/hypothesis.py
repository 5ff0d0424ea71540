"""What a search finds for a text."""

from typing import NamedTuple


class Hypothesis(NamedTuple):
    """The words' ids without END, the source place that each attended to most (or -1), and the score."""

    ids: list[int]
    places: list[int]
    score: float
