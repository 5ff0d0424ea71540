"""Lines of systems over groups of units, a panel a measure and direction."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from evaluation.charts import vega_lite
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import places_of
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.subsets import Subset, directions
from evaluation.table_parts.unit_groups import Grouping, Measure, Row

SIDE_BY_SIDE = ("source", "reference")
ALL = ("system", *SIDE_BY_SIDE)
NO_SYSTEM = "The study has no system with judged or scored outputs: add one on the page Systems."
NOTHING = "Nothing has been judged or scored."
INTERVALS = "95% intervals: of judgements by Student's t over sources, of metrics by the jackknife over sources."


def scores_by_group(
    snapshot: StudySnapshot,
    title: str,
    across: str,
    grouping: Grouping,
    measures: Sequence[Measure],
    *,
    roles: Sequence[str] = ("system",),
    one_group: str,
) -> Figure | MissingContent:
    """A panel a measure and direction, a line a system over the groups. `one_group` says why there are not two."""
    shown = [row for part in directions(snapshot) for row in _rows(snapshot, part, grouping, measures, roles)]
    if not shown:
        return missing_content(title, _none(snapshot, measures, roles) or one_group)
    order = [measure.label for measure in measures]
    shown.sort(key=lambda row: order.index(str(row["measure"])))  # the directions of a measure beside one another
    panels = list(dict.fromkeys(str(row["panel"]) for row in shown))
    names = [snapshot.systems[place].name for place in places_of(snapshot, *roles)]
    names = [name for name in names if any(row["system"] == name for row in shown)]
    return Figure(
        title,
        _spec(across, panels, names, _wide(snapshot)),
        shown,
        _describes(across, panels, names, shown),
        [*_sizes(shown), INTERVALS],
    )


def _none(snapshot: StudySnapshot, measures: Sequence[Measure], roles: Sequence[str]) -> str:
    """Why there is nothing to draw, however units are grouped."""
    if not places_of(snapshot, *roles):
        return NO_SYSTEM
    return "" if any(measure.used(snapshot).any() for measure in measures) else NOTHING


def _rows(
    snapshot: StudySnapshot, part: Subset, grouping: Grouping, measures: Sequence[Measure], roles: Sequence[str]
) -> Iterator[Row]:
    every = np.ones(len(snapshot.units.ids), dtype=bool) if part.where is None else part.where
    used = np.zeros(len(every), dtype=bool)
    for each in measures:
        used |= each.used(snapshot)
    groups = grouping(used & every)
    if len(groups) < 2:
        return
    places = places_of(snapshot, *roles)
    for measure in measures:
        if measure.direction not in (None, part.direction):
            continue
        named_already = part.where is None or measure.direction is not None
        panel = measure.label if named_already else f"{measure.label}, {part.label}"
        for order, group in enumerate(groups):
            values = measure.over(snapshot, group.where)
            named: Row = {"measure": measure.label, "direction": part.label, "panel": panel}
            named |= {
                "group": group.label,
                "order": order,
                "from": group.low,
                "below": group.high,
                "sentences": int(group.where.sum()),
            }
            for place in places:
                if place in values:
                    yield {**named, "system": snapshot.systems[place].name, **values[place]}


def _wide(snapshot: StudySnapshot) -> int:
    """How many panels stand beside one another: a study's directions, or three."""
    return len(directions(snapshot)) if len(directions(snapshot)) > 1 else 3


def _spec(across: str, panels: Sequence[str], names: Sequence[str], columns: int) -> Mapping[str, Any]:
    x = {**vega_lite.groups("group", across), "sort": {"field": "order", "op": "min"}}
    if across == "Section":
        x["axis"] = {"labelAngle": -35, "labelLimit": 140}
    y = vega_lite.amount("value", "Score", zero=False)
    tip = ("system", "group", "value", "low", "high", "n")
    spec = vega_lite.lines(x, y, vega_lite.colour("system", names, "System"), low="low", high="high", tip=tip)
    return vega_lite.panels(spec, "panel", panels, columns=min(columns, len(panels)))


def _describes(across: str, panels: Sequence[str], names: Sequence[str], rows: Sequence[Row]) -> str:
    groups = ", ".join(dict.fromkeys(str(row["group"]) for row in rows))
    return (
        f"{'; '.join(panels)}: in each panel a line for each of {', '.join(names)}, over groups of sentences. "
        f"{across}: {groups}."
    )


def _sizes(rows: Sequence[Row]) -> list[str]:
    """How many sentences each group holds."""
    sizes: dict[str, dict[str, str]] = {}
    for row in rows:
        sizes.setdefault(str(row["direction"]), {})[str(row["group"])] = str(row["sentences"])
    return [
        f"Sentences, {direction}: {', '.join(f'{label}: {n}' for label, n in of.items())}."
        for direction, of in sizes.items()
    ]
