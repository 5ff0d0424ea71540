"""Agreement of two people's marked spans: gamma (Mathet, Widlöcher and Métivier 2015), and F1 of characters.

Gamma is 1 minus the disorder of the best alignment of two annotations over the one that chance gives. It asks whether
people mark the same units, with the same ends and the same kind. Two units that are aligned cost

    d = ((|start - start'| + |end - end'|) / (length + length')) ** 2 + (0 or 1, as the kinds are equal or not)

and a unit without a partner costs 1; the disorder is their sum over the mean number of units a person. Chance is that
one of the annotations, drawn for each person, is turned by a random number of characters.

pygamma-agreement finds the alignment by an integer program, for which it pins a solver. It is an assignment
problem for two people, which scipy solves exactly; golden tests hold the disorder to pygamma's. More people are
compared by pairs.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from foundation.lazy_import import lazy_import
from foundation.seeds import generator

optimize = lazy_import("scipy.optimize")


class Unit(NamedTuple):
    """A marked span of a text, with its kind of error or edit."""

    start: int
    end: int
    kind: str


class Gamma(NamedTuple):
    """`value` is None where chance cannot be told: nobody marked anything, or only one person did."""

    value: float | None
    observed: float
    expected: float


ALONE = 1.0
"""The cost of a unit without a partner."""
SAMPLES = 300


def distance(one: Unit, other: Unit) -> float:
    apart = abs(one.start - other.start) + abs(one.end - other.end)
    length = one.end - one.start + other.end - other.start
    return float((apart / length) ** 2) + (one.kind != other.kind) if length else float("inf")


Text = tuple[int, Sequence[Unit], Sequence[Unit]]
"""A text by its length in characters, and the units of each of the two people."""


def gamma(texts: Sequence[Text], seed: int, samples: int = SAMPLES) -> Gamma:
    """Gamma of two people over texts. Units are aligned within a text; chance takes the texts as one that goes on."""
    first, second, length = _joined(texts)
    mean = (len(first) + len(second)) / 2
    observed = sum(cost(one, other) for _, one, other in texts) / mean if mean else 0.0
    if not first or not second:
        return Gamma(None, observed, 0.0)
    random = generator(seed, "gamma")
    least = sum(unit.end - unit.start for unit in (*first, *second)) / (len(first) + len(second)) / 2
    drawn = [disorder(*_by_chance((first, second), length, least, random)) for _ in range(samples)]
    expected = float(np.mean(drawn))
    return Gamma(1 - observed / expected if expected else None, observed, expected)


def _by_chance(
    annotations: Sequence[Sequence[Unit]], length: int, least: float, random: np.random.Generator
) -> Iterator[list[Unit]]:
    """Two annotations, each one of those given, turned; they are turned by at least `least` characters apart."""
    before: int | None = None
    for _ in annotations:
        turn = int(random.integers(0, max(length, 1)))
        while before is not None and abs(turn - before) < least and 2 * least < length:
            turn = int(random.integers(0, length))
        before = turn
        chosen = annotations[int(random.integers(len(annotations)))]
        yield [_turned(unit, turn, length) for unit in chosen]


def _turned(unit: Unit, turn: int, length: int) -> Unit:
    by = turn - length if unit.start + turn > length else turn
    return Unit(unit.start + by, unit.end + by, unit.kind)


def disorder(first: Sequence[Unit], second: Sequence[Unit]) -> float:
    """The disorder of the best alignment; 0 where nobody marked anything."""
    mean = (len(first) + len(second)) / 2
    return cost(first, second) / mean if mean else 0.0


def cost(first: Sequence[Unit], second: Sequence[Unit]) -> float:
    """The cost of the best alignment."""
    total = ALONE * (len(first) + len(second))
    for rows, columns in _groups(first, second):
        gains = np.array([[2 * ALONE - distance(first[row], second[column]) for column in columns] for row in rows])
        chosen = optimize.linear_sum_assignment(np.maximum(gains, 0), maximize=True)
        total -= float(np.maximum(gains, 0)[chosen].sum())
    return total


def _groups(first: Sequence[Unit], second: Sequence[Unit]) -> Iterator[tuple[list[int], list[int]]]:
    """Units that may be aligned, in groups between which none can: there a partner costs more than two without one."""
    reach = max((unit.end - unit.start for unit in (*first, *second)), default=0) * 2 * np.sqrt(2 * ALONE)
    ordered = sorted(
        [(unit.start, 0, place) for place, unit in enumerate(first)]
        + [(unit.start, 1, place) for place, unit in enumerate(second)]
    )
    group: tuple[list[int], list[int]] = ([], [])
    last = None
    for start, side, place in ordered:
        if last is not None and start - last > reach:
            if all(group):
                yield group
            group = ([], [])
        group[side].append(place)
        last = start
    if all(group):
        yield group


def _joined(texts: Iterable[Text]) -> tuple[list[Unit], list[Unit], int]:
    """The units of texts that stand one after the other, and the length of all."""
    at, first, second = 0, list[Unit](), list[Unit]()
    for length, one, other in texts:
        first += [Unit(unit.start + at, unit.end + at, unit.kind) for unit in one]
        second += [Unit(unit.start + at, unit.end + at, unit.kind) for unit in other]
        at += length
    return first, second, at


# F1 of characters as WMT's shared tasks of quality estimation count it (Blain et al. 2023).


class Overlap(NamedTuple):
    """The characters that both marked (a part of one where the severities differ), and those that each did."""

    both: float
    ours: int
    theirs: int

    @property
    def precision(self) -> float:
        return self.both / self.ours if self.ours else 1.0

    @property
    def recall(self) -> float:
        return self.both / self.theirs if self.theirs else 1.0

    @property
    def f1(self) -> float:
        precision, recall = self.precision, self.recall
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def overlap(texts: Iterable[tuple[Sequence[Unit], Sequence[Unit]]], credit: float = 0.5) -> Overlap:
    """The overlap in several texts together: (our units, their units) of each, whose kinds are severities.

    A character counts as often as it is marked. One that both marked as differently severe counts `credit`.
    """
    both, ours, theirs = 0.0, 0, 0
    for one, other in texts:
        marked, wanted = _counts(one), _counts(other)
        ours, theirs = ours + sum(map(_total, marked.values())), theirs + sum(map(_total, wanted.values()))
        for place in marked.keys() & wanted.keys():
            same = marked[place] & wanted[place]
            left = min(_total(marked[place] - same), _total(wanted[place] - same))
            both += _total(same) + credit * left
    return Overlap(both, ours, theirs)


def _counts(units: Iterable[Unit]) -> Mapping[int, Counter[str]]:
    found: dict[int, Counter[str]] = {}
    for unit in units:
        for place in range(unit.start, unit.end):
            found.setdefault(place, Counter())[unit.kind] += 1
    return found


def _total(counts: Counter[str]) -> int:
    return sum(counts.values())
