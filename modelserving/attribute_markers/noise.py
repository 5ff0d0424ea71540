"""Markers altered at random, so that a network learns to fit those of another text (Li et al. 2018, section 3.4).

Each marker is replaced with probability `noise` by one of the same style at a word-level edit distance of 1, where
there is one ("was very rude" by "very rude"). As in the authors' program a marker of one word is replaced by one of two
words alone: all words are at distance 1 from each other.
"""

from collections.abc import Iterable, Sequence

import numpy as np

Marker = tuple[str, ...]


class MarkerNoise:
    """The markers of a style, found by what is left of each where a word is left out or not looked at."""

    def __init__(self, markers: Iterable[str]) -> None:
        self._known = {tuple(marker.split(" ")) for marker in markers}
        self._by_rest: dict[tuple[str | None, ...], list[Marker]] = {}
        for marker in sorted(self._known):
            for at in range(len(marker)):
                self._by_rest.setdefault(_unseen(marker, at), []).append(marker)
                self._by_rest.setdefault(_without(marker, at), []).append(marker)
        self._near: dict[Marker, list[Marker]] = {}

    def altered(
        self, markers: Sequence[Sequence[str]], noise: float, chance: np.random.Generator
    ) -> list[Sequence[str]]:
        """The markers of a text, in any case, each altered by chance."""
        found = []
        for marker in markers:
            near = self.near(tuple(map(str.lower, marker))) if chance.random() < noise else []
            found.append(near[int(chance.integers(len(near)))] if near else marker)
        return found

    def near(self, marker: Marker) -> list[Marker]:
        """The other markers at distance 1, in order."""
        if marker not in self._near:
            self._near[marker] = self._find(marker)
        return self._near[marker]

    def _find(self, marker: Marker) -> list[Marker]:
        places = range(len(marker))
        longer = self._by_rest.get(marker, [])
        if len(marker) == 1:
            return sorted({one for one in longer if len(one) == 2})
        shorter = [one for one in (_without(marker, at) for at in places) if one in self._known]
        as_long = [one for at in places for one in self._by_rest[_unseen(marker, at)] if one != marker]
        return sorted({*(one for one in longer if len(one) == len(marker) + 1), *shorter, *as_long})


def _unseen(marker: Marker, at: int) -> tuple[str | None, ...]:
    return (*marker[:at], None, *marker[at + 1 :])


def _without(marker: Marker, at: int) -> Marker:
    return (*marker[:at], *marker[at + 1 :])
