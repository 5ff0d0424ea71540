"""Which words of a source its rewrite changes, and to what: the term labels of DECLARE (Luo et al. 2022, section 4.1).

The labels are the difference of the two texts: the words of a longest common subsequence are kept, all others are
changed. Changed words that stand side by side are one run, for which one stretch of the rewrite stands. What a rewrite
only adds is put to the word that follows it, at the end to the word before, since a polisher that copies all other
words has no other place to write it.

In the authors' program a changed word is a term only where their dictionary has it. Here every changed word is one, as
in the paper, whose locator finds what needs "to be simplified or translated".
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from modelserving.edit_operations.oracle_edits import Operation, oracle_edits


class Run(NamedTuple):
    """Source words [start, end), at least one, for which the rewrite's words [begin, stop) stand, perhaps none."""

    start: int
    end: int
    begin: int
    stop: int


def changed_runs(source: Sequence[str], target: Sequence[str]) -> list[Run]:
    """The runs of changed words, from left to right.

    Args:
        source: Words, at least one.
        target: Words of the rewrite.

    Returns:
        Runs with at least one kept word between them. The target is the source with each run replaced.
    """
    kept = _without_neighbours_of_additions(kept_words(source, target), len(source), len(target))
    ends = [(-1, -1), *kept, (len(source), len(target))]
    gaps = (Run(i + 1, k, j + 1, m) for (i, j), (k, m) in pairwise(ends))
    return [run for run in gaps if run.end > run.start]


def kept_words(source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
    """The places in source and target of the words of a longest common subsequence."""
    found, i, j = list[tuple[int, int]](), 0, 0
    for operation, _ in oracle_edits(source, target):
        if operation is Operation.KEEP:
            found.append((i, j))
        i += operation in (Operation.KEEP, Operation.DELETE)
        j += operation in (Operation.KEEP, Operation.ADD)
    return found + [(i + ahead, j + ahead) for ahead in range(len(source) - i)]


def _without_neighbours_of_additions(kept: list[tuple[int, int]], words: int, rewritten: int) -> list[tuple[int, int]]:
    """The kept words but for those to which something is put that stands for no word of the source."""
    before = [(-1, -1), *kept]
    left = {pair for last, pair in zip(before, kept, strict=False) if _only_added(last, pair)}
    if kept and _only_added(kept[-1], (words, rewritten)):
        left.add(kept[-1])
    return [pair for pair in kept if pair not in left]


def _only_added(last: tuple[int, int], pair: tuple[int, int]) -> bool:
    """Whether words stand between the two in the target, and none in the source."""
    return pair[0] == last[0] + 1 and pair[1] > last[1] + 1
