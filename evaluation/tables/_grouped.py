"""Human and metric scores by groups of sentences of about the same number: by length, concepts, edits or section.

Of a metric each group has the corpus score over its sentences, from the sums that are kept with the scores; its
interval is the jackknife's over sources.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from evaluation.comparing.measures import measured
from evaluation.tables import _figures as draw
from evaluation.tables._base import Figure, Lacking
from evaluation.tables._columns import means_in
from evaluation.tables._parts import Part, directions, lacking, metric_label, places_of
from evaluation.tables._record import Floats, Judged, Record
from evaluation.tables._sums import Mask, numbers, scored

BINS = 5  # as many as MSD's Figure 4 and GYAFC's Figure 3 have, or nearly
MOST_SECTIONS = 10
BESIDE = ("source", "reference")
ALL = ("system", *BESIDE)
NO_SYSTEM = "The study has no system with judged or scored outputs: add one on the page Systems."
NOTHING = "Nothing has been judged or scored."
INTERVALS = "95% intervals: of judgements by Student's t over sources, of metrics by the jackknife over sources."
Row = dict[str, str | float | None]


@dataclass(frozen=True)
class Group:
    """Some units of a study, as a label names them: from `low` to below `high`, or of one section."""

    label: str
    where: Mask
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Measure:
    """A criterion or a metric."""

    label: str
    judged: Judged | None = None
    metric: str = ""
    direction: int | None = None

    def used(self, record: Record) -> Mask:
        """The units that it says something of."""
        found = np.zeros(len(record.units.ids), dtype=bool)
        if self.judged is not None:
            found[self.judged.unit] = True
            return found
        for one in record.scores[self.metric]:
            if one is not None:
                found |= one.there
        return found

    def over(self, record: Record, where: Mask) -> dict[int, Row]:
        """Of each system its number over these units, with interval and n."""
        if self.judged is not None:
            means = means_in(record, self.judged, where)
            return {
                place: {"value": one.mean, "low": one.low, "high": one.high, "n": one.n} for place, one in means.items()
            }
        sums = {place: one for place, one in enumerate(scored(record, self.metric, where)) if one is not None}
        return {
            place: {"value": number.value, "low": number.low, "high": number.high, "n": len(sums[place].rows)}
            for place, number in zip(sums, numbers(list(sums.values())), strict=True)
            if np.isfinite(number.value)
        }


Grouping = Callable[[Mask], list[Group]]


def bins_of(values: Floats, used: Mask, many: int = BINS) -> list[Group]:
    """Groups of similar size of the used units by whole numbers; equal numbers stay together, so they may be fewer."""
    inside = used & np.isfinite(values)
    if not inside.any():
        return []
    edges = _edges(values[inside], many)
    return [
        Group(_span(low, high), inside & (values >= low) & (values < high), low, high) for low, high in pairwise(edges)
    ]


def _edges(values: Floats, many: int) -> list[float]:
    """The least number of each group, nearest to equal parts and none under half of one; then what is above them."""
    numbers, counts = np.unique(values, return_counts=True)
    below = np.concatenate(([0], np.cumsum(counts)))  # as many values are less than each of the numbers
    part = len(values) / many
    kept = [0]
    for cut in sorted({int(np.abs(below - part * place).argmin()) for place in range(1, many)}):
        if min(below[cut] - below[kept[-1]], len(values) - below[cut]) >= part / 2:
            kept.append(cut)
    return [*numbers[kept].tolist(), float(numbers[-1]) + 1]


def sections_of(record: Record, used: Mask) -> list[Group]:
    """The sections that most of the used units stood in, the largest first."""
    names = np.array(record.units.sections, dtype=object)
    found = Counter(name for name in names[used].tolist() if name).most_common(MOST_SECTIONS)
    return [Group(name, used & (names == name)) for name, _ in found]


def measures_of(record: Record) -> list[Measure]:
    """Every criterion and every metric of a study."""
    judged = record.judgements[record.variant].values()
    return [
        *[Measure(one.label, judged=one, direction=one.direction) for one in judged],
        *[
            Measure(metric_label(record, name), metric=name, direction=measured(record, name).direction)
            for name in record.scores
        ],
    ]


def grouped(
    record: Record,
    title: str,
    across: str,
    grouping: Grouping,
    measures: Sequence[Measure],
    *,
    roles: Sequence[str] = ("system",),
    one_group: str,
) -> Figure | Lacking:
    """A panel a measure and direction, a line a system over the groups. `one_group` says why there are not two."""
    shown = [row for part in directions(record) for row in _rows(record, part, grouping, measures, roles)]
    if not shown:
        return lacking(title, _none(record, measures, roles) or one_group)
    order = [measure.label for measure in measures]
    shown.sort(key=lambda row: order.index(str(row["measure"])))  # the directions of a measure beside one another
    panels = list(dict.fromkeys(str(row["panel"]) for row in shown))
    names = [record.systems[place].name for place in places_of(record, *roles)]
    names = [name for name in names if any(row["system"] == name for row in shown)]
    return Figure(
        title,
        _spec(across, panels, names, _wide(record)),
        shown,
        _describes(across, panels, names, shown),
        [*_sizes(shown), INTERVALS],
    )


def _none(record: Record, measures: Sequence[Measure], roles: Sequence[str]) -> str:
    """Why there is nothing to draw, however units are grouped."""
    if not places_of(record, *roles):
        return NO_SYSTEM
    return "" if any(measure.used(record).any() for measure in measures) else NOTHING


def _rows(
    record: Record, part: Part, grouping: Grouping, measures: Sequence[Measure], roles: Sequence[str]
) -> Iterator[Row]:
    every = np.ones(len(record.units.ids), dtype=bool) if part.where is None else part.where
    used = np.zeros(len(every), dtype=bool)
    for one in measures:
        used |= one.used(record)
    groups = grouping(used & every)
    if len(groups) < 2:
        return
    places = places_of(record, *roles)
    for measure in measures:
        if measure.direction not in (None, part.direction):
            continue
        named_already = part.where is None or measure.direction is not None
        panel = measure.label if named_already else f"{measure.label}, {part.label}"
        for order, group in enumerate(groups):
            found = measure.over(record, group.where)
            named: Row = {"measure": measure.label, "direction": part.label, "panel": panel}
            named |= {
                "group": group.label,
                "order": order,
                "from": group.low,
                "below": group.high,
                "sentences": int(group.where.sum()),
            }
            for place in places:
                if place in found:
                    yield {**named, "system": record.systems[place].name, **found[place]}


def _wide(record: Record) -> int:
    """How many panels stand beside one another: a study's directions, or three."""
    return len(directions(record)) if len(directions(record)) > 1 else 3


def _span(low: float, high: float) -> str:
    return f"{low:g}" if high - low <= 1 else f"{low:g}–{high - 1:g}"


def _spec(across: str, panels: Sequence[str], names: Sequence[str], columns: int) -> Mapping[str, Any]:
    x = {**draw.groups("group", across), "sort": {"field": "order", "op": "min"}}
    if across == "Section":
        x["axis"] = {"labelAngle": -35, "labelLimit": 140}
    y = draw.amount("value", "Score", zero=False)
    tip = ("system", "group", "value", "low", "high", "n")
    spec = draw.lines(x, y, draw.colour("system", names, "System"), low="low", high="high", tip=tip)
    return draw.panels(spec, "panel", panels, columns=min(columns, len(panels)))


def _describes(across: str, panels: Sequence[str], names: Sequence[str], rows: Sequence[Row]) -> str:
    groups = ", ".join(dict.fromkeys(str(row["group"]) for row in rows))
    return (
        f"{'; '.join(panels)}: in each panel a line for each of {', '.join(names)}, over groups of sentences. "
        f"{across}: {groups}."
    )


def _sizes(rows: Sequence[Row]) -> list[str]:
    """How many sentences each group holds."""
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        found.setdefault(str(row["direction"]), {})[str(row["group"])] = str(row["sentences"])
    return [
        f"Sentences, {direction}: {', '.join(f'{label}: {n}' for label, n in of.items())}."
        for direction, of in found.items()
    ]
