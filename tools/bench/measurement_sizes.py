"""The sizes of the measurements."""

from typing import NamedTuple


class Sizes(NamedTuple):
    """Items and answers of the studies, and seconds of each run of annotators.

    `large` counts the items of the large campaign, the answers of the large release and the sentences of the large
    import, `linked` the sentences whose concepts are linked. `reported` are those of the study that is reported,
    `pairs` those of the large training, and `simulated` the studies of each simulation.
    """

    items: int
    seconds: float
    large: int
    linked: int
    reported: int
    pairs: int
    simulated: int


# Three people do each item: the items must outlast the annotators of all runs on a fast machine (1,000 a second).
WHOLE = Sizes(
    items=10_000, seconds=15.0, large=100_000, linked=10_000, reported=2_000, pairs=1_000_000, simulated=1_000
)
TINY = Sizes(
    items=1_000, seconds=1.0, large=50, linked=20, reported=20, pairs=100, simulated=20
)  # to see that all is there
QUICK = Sizes(items=4_000, seconds=4.0, large=10_000, linked=1_000, reported=200, pairs=20_000, simulated=100)
SIZES = {"whole": WHOLE, "quick": QUICK, "tiny": TINY}
