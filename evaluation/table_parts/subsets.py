"""The subsets of a study's units that a table shows by themselves: by direction and domain."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from evaluation.aggregation import Mask
from evaluation.snapshot import StudySnapshot


@dataclass(frozen=True)
class Subset:
    """Units that a table shows by themselves; `where` is None where they are all of the study's.

    `asks` is what the page of rows is asked for beside a system and a metric or criterion."""

    label: str
    where: Mask | None = None
    asks: Mapping[str, str] = field(default_factory=dict)

    @property
    def direction(self) -> int | None:
        """The place of the direction that it is of; None where it is not one of several."""
        return int(self.asks["direction"]) if "direction" in self.asks else None


def direction_name(snapshot: StudySnapshot, place: int) -> str:
    """'informal to formal'."""
    return " to ".join(snapshot.units.directions[place])


def directions(snapshot: StudySnapshot) -> list[Subset]:
    """The study's directions that hold units; one alone is the whole study."""
    held = np.unique(snapshot.units.direction)
    if len(held) < 2:
        return [Subset(direction_name(snapshot, int(place))) for place in held]
    return [
        Subset(direction_name(snapshot, int(place)), snapshot.units.direction == place, {"direction": str(place)})
        for place in held
    ]


def domains(snapshot: StudySnapshot, within: Subset) -> list[Subset]:
    """The domains of a part's units, in the order in which they come; none where no unit has one."""
    inside = np.ones(len(snapshot.units.ids), dtype=bool) if within.where is None else within.where
    names = np.array(snapshot.units.domains, dtype=object)
    domain_names = [name for name in dict.fromkeys(names[inside].tolist()) if name]
    return [Subset(name, inside & (names == name), {**within.asks, "domain": name}) for name in domain_names]


def subsets_of(snapshot: StudySnapshot) -> list[Subset]:
    """Each direction, and after it its domains where it has several, as the papers' tables have them.

    A label says no more than tells the parts apart: 'Music', or 'informal to formal, Music' where there are directions.
    """
    subsets = []
    for direction in directions(snapshot):
        inside = domains(snapshot, direction)
        many = direction.where is not None
        names = [f"{direction.label}, {inner.label}" if many else inner.label for inner in inside]
        whole = names[0] if len(inside) == 1 else f"{direction.label}, all domains" if many else "All domains"
        subsets.append(replace(direction, label=whole) if inside else direction)
        subsets += [replace(inner, label=name) for inner, name in zip(inside, names, strict=True) if len(inside) > 1]
    return subsets
