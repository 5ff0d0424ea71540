"""How much is measured."""

from typing import NamedTuple


class Sizes(NamedTuple):
    """Items and answers of the studies, and seconds of each run of annotators."""

    items: int
    seconds: float


WHOLE = Sizes(items=10_000, seconds=15.0)
QUICK = Sizes(items=1_000, seconds=4.0)
