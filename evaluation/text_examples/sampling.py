"""Some of many, the same with every report."""

from collections.abc import Sequence

from evaluation.snapshot.study import StudySnapshot
from foundation.seeds import generator


def drawn(snapshot: StudySnapshot, name: str, places: Sequence[int], most: int) -> list[int]:
    """At most so many of the places, in their order, by the snapshot's seed and the name of what they are for."""
    order = generator(snapshot.seed, name, len(places)).permutation(len(places))
    return sorted(places[number] for number in order[:most].tolist())
