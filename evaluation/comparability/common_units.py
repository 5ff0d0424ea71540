"""Which systems are ranked together, and over which units: those that all of them have.

A system that lacks a few outputs is ranked with the others over what all have; one that would take away more than a
tenth of the units stays outside, with its own number and a word that it is not ranked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
LEAST = 0.9
"""The share of the units of all ranked systems that each of them has."""


@dataclass(frozen=True)
class CommonUnits:
    """Systems by place: those that are `ranked`, over the units of `where`; of those `outside` how many units of the
    ranked ones they have, and of how many."""

    ranked: tuple[int, ...]
    where: Mask
    outside: Mapping[int, tuple[int, int]]


def over_common_units(present: Mask, competing: Sequence[int]) -> CommonUnits:
    """Decide over which units systems are ranked, and which systems are.

    While one has less than nine tenths of all that those have who are still in, one leaves: the one without whom the
    others have most of what is theirs, of equal ones that with the fewest units. One that is left alone is ranked only
    where nobody else competes.

    Args:
        present: bool (n_systems, n_units), what each system has.
        competing: The places of the systems that compete.

    Returns:
        The ranked systems, the units that all of them have (n_units,), and what each of the others has.
    """
    inside = [place for place in competing if present[place].any()]
    alone = len(inside) == 1
    while len(inside) > 1 and shares(present[inside]).min() < LEAST:
        inside.remove(_leaving(present, inside))
    if len(inside) == 1 and not alone:
        inside = []
    where: Mask = np.asarray(present[inside].all(axis=0)) if inside else np.zeros(present.shape[1], dtype=bool)
    if not where.any():
        inside = []
    union = present[inside or list(competing)].any(axis=0)
    outside = {
        place: (int((present[place] & union).sum()), int(union.sum())) for place in competing if place not in inside
    }
    return CommonUnits(tuple(inside), where, outside)


def shares(present: Mask) -> NDArray[np.float64]:
    """The share that each system has of the units of all of them."""
    every = present.any(axis=0).sum()
    shared: NDArray[np.float64] = present.sum(axis=1) / max(every, 1)
    return shared


def _leaving(present: Mask, inside: Sequence[int]) -> int:
    def left(place: int) -> tuple[float, int, int]:
        rest = [other for other in inside if other != place]
        return (round(float(shares(present[rest]).sum()), 9), -int(present[place].sum()), place)

    return max(inside, key=left)
