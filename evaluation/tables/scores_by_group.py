"""Human and metric scores over groups of units, a line a system: by length, concepts, edit distance, section."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evaluation import charts
from evaluation.corpus_statistics import NO_REFERENCE, apart_of
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import places_of
from evaluation.table_parts.columns import Subset, directions
from evaluation.table_parts.contents import Figure, MissingContent, missing_content
from evaluation.table_parts.unit_groups import Grouping, Measure, Row, bins_of, measures_of, sections_of
from evaluation.tables._base import TableOrFigure
from foundation.translation import translatable

# Lines of systems over groups of units, a panel a measure and direction.

SIDE_BY_SIDE = ("source", "reference")
ALL = ("system", *SIDE_BY_SIDE)
NO_SYSTEM = translatable("The study has no system with judged or scored outputs: add one on the page Systems.")
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
    x = {**charts.groups("group", across), "sort": {"field": "order", "op": "min"}}
    if across == "Section":
        x["axis"] = {"labelAngle": -35, "labelLimit": 140}
    y = charts.amount("value", "Score", zero=False)
    tip = ("system", "group", "value", "low", "high", "n")
    spec = charts.lines(x, y, charts.colour("system", names, "System"), low="low", high="high", tip=tip)
    return charts.panels(spec, "panel", panels, columns=min(columns, len(panels)))


def _describes(across: str, panels: Sequence[str], names: Sequence[str], rows: Sequence[Row]) -> str:
    groups = ", ".join(dict.fromkeys(str(row["group"]) for row in rows))
    return (
        f"{'; '.join(panels)}: each panel has lines for {', '.join(names)}, over groups of sentences. "
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


# Human and metric scores by the length of the source in words.

BY_LENGTH_TITLE = "Scores by length of the source"


def by_length(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A line a system, over groups of similar size."""
    return scores_by_group(
        snapshot, BY_LENGTH_TITLE, "Words of the source", lambda used: bins_of(snapshot.units.words, used),
        measures_of(snapshot), roles=ALL,
        one_group="All sources have the same number of words, so that there is one group.",
    )  # fmt: skip


# Human and metric scores by the number of concepts in the source.

BY_CONCEPTS_TITLE = "Scores by number of concepts"
NO_CONCEPTS = translatable("No concepts are linked in the sources: link them on the page Concepts.")


def by_concepts(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A line a system, over groups of similar size."""
    return by_concepts_figure(snapshot, BY_CONCEPTS_TITLE, measures_of(snapshot))


def by_concepts_figure(snapshot: StudySnapshot, title: str, measures: list[Measure]) -> Figure | MissingContent:
    """The same of some measures."""
    if not (snapshot.units.concepts >= 0).any():
        return missing_content(title, NO_CONCEPTS)
    return scores_by_group(
        snapshot, title, "Concepts in the source", lambda used: bins_of(snapshot.units.concepts, used), measures,
        roles=ALL, one_group="All scored sources have the same number of concepts, so that there is one group.",
    )  # fmt: skip


# Human and metric scores by the edit distance between source and first reference, concepts masked.

BY_APART_TITLE = "Scores by edit distance"


def by_apart(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A line a system, over groups of similar size."""
    return by_apart_figure(snapshot, BY_APART_TITLE, measures_of(snapshot))


def by_apart_figure(snapshot: StudySnapshot, title: str, measures: list[Measure]) -> Figure | MissingContent:
    """The same of some measures."""
    apart, how = apart_of(snapshot)
    if not np.isfinite(apart).any():
        return missing_content(title, NO_REFERENCE)
    chart = scores_by_group(
        snapshot, title, "Edits from source to reference", lambda used: bins_of(apart, used), measures,
        roles=ALL, one_group="All scored sources are as far from their references, so that there is one group.",
    )  # fmt: skip
    return replace(chart, notes=[*chart.notes, how]) if isinstance(chart, Figure) else chart


# Human and metric scores by the section that the source stood in.

BY_SECTION_TITLE = "Scores by section"
NO_SECTION = translatable(
    "No source comes from a document with sections: import such documents, and take sources from them on the page "
    "Select sources."
)


def by_section(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A line a system, over the sections that most sources stood in."""
    return by_section_figure(snapshot, BY_SECTION_TITLE, measures_of(snapshot))


def by_section_figure(snapshot: StudySnapshot, title: str, measures: list[Measure]) -> Figure | MissingContent:
    """The same of some measures."""
    if not any(snapshot.units.sections):
        return missing_content(title, NO_SECTION)
    return scores_by_group(
        snapshot, title, "Section", lambda used: sections_of(snapshot, used), measures,
        roles=ALL, one_group="All scored sources stood in the same section, so that there is one group.",
    )  # fmt: skip


ENTRIES = {
    "by_length": TableOrFigure(title=BY_LENGTH_TITLE, make=by_length, kind="study", order=20),
    "by_concepts": TableOrFigure(title=BY_CONCEPTS_TITLE, make=by_concepts, kind="study", order=21),
    "by_apart": TableOrFigure(title=BY_APART_TITLE, make=by_apart, kind="study", order=22),
    "by_section": TableOrFigure(title=BY_SECTION_TITLE, make=by_section, kind="study", order=23),
}
