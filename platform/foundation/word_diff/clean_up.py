"""Gives up matches that help no reader: a rewritten sentence is one removal and one addition, not a dozen.

The idea is diff-match-patch's semantic clean-up, over words: a match between two changes goes where it is no longer
than the larger side of the one before it, and of the one behind it.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate

LEAST = 5
"""Of the shorter text a fifth must be kept, in characters, or nothing counts as kept."""

Run = tuple[int, int, int]  # as `alignment.matches` has them


def cleaned(runs: Iterable[Run], old: Sequence[str], new: Sequence[str]) -> list[Run]:
    """The runs that stay."""
    lengths = [list(accumulate(map(len, words), initial=0)) for words in (old, new)]
    end = (len(old), len(new), 0)
    kept: list[Run] = [(0, 0, 0)]
    for run in [*runs, end]:
        while len(kept) > 1 and _is_swallowed(kept[-2], kept[-1], run, lengths):
            kept.pop()
        kept.append(run)
    kept = kept[1:-1]
    total = sum(lengths[0][i + length] - lengths[0][i] for i, _, length in kept)
    return kept if total * LEAST >= min(lengths[0][-1], lengths[1][-1]) else []


def _is_swallowed(before: Run, run: Run, after: Run, lengths: list[list[int]]) -> bool:
    """Whether the run is no longer than the larger side of the change before it, and of the one behind it."""
    length = lengths[0][run[0] + run[2]] - lengths[0][run[0]]
    return all(length <= _changed(one, other, lengths) for one, other in ((before, run), (run, after)))


def _changed(run: Run, following: Run, lengths: list[list[int]]) -> int:
    """The characters between two runs, of the side that has more."""
    return max(
        lengths[0][following[0]] - lengths[0][run[0] + run[2]], lengths[1][following[1]] - lengths[1][run[1] + run[2]]
    )
