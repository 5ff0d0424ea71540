"""How much is measured."""

from typing import NamedTuple


class Sizes(NamedTuple):
    """Items and answers of the studies, and seconds of each run of annotators."""

    items: int
    seconds: float


# Three people do each item: the items must outlast the annotators of all runs on a fast machine (1,000 a second).
WHOLE = Sizes(items=10_000, seconds=15.0)
QUICK = Sizes(items=4_000, seconds=4.0)
