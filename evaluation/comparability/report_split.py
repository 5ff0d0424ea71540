"""The split that a report is about: all its numbers are over the sentences of that one."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.comparability.better_ends import narrowed
from evaluation.metric_contract import Scores
from evaluation.snapshot import CriterionJudgements, StudySnapshot, SystemRow, TextContext, Units

Mask = NDArray[np.bool_]
TEST, ALL, USUAL = "test", "all", ""
CHOICES = (USUAL, TEST, "tune", "train", ALL)
"""What may be chosen: the usual is the test split where a system has outputs of it, else all."""


def split_of(chosen: str, splits: Sequence[str], systems: Sequence[SystemRow]) -> str:
    """The split that a report is about.

    Args:
        chosen: What was chosen for the report.
        splits: The split of each unit.
        systems: The systems: usually a report is about the test split where one has an output there, else about all.

    Returns:
        Its name; "" for all units, also if the chosen split has none.
    """

    def tested() -> bool:
        of_test = [place for place, split in enumerate(splits) if split == TEST]
        return any(row.outputs[place] for row in systems for place in of_test)

    return split_meant(chosen, tested, lambda: chosen in splits)


def split_meant(chosen: str, tested: Callable[[], bool], there: Callable[[], bool]) -> str:
    """As `split_of`: `tested` says whether a system has an output of the test split, `there` whether there are units of
    the chosen one."""
    if chosen == USUAL:
        return TEST if tested() else ""
    return chosen if chosen != ALL and there() else ""


def in_split(snapshot: StudySnapshot, chosen: str) -> StudySnapshot:
    """The snapshot of the chosen split alone; as it is where that holds all its units."""
    split = split_of(chosen, snapshot.units.splits, [row for row in snapshot.systems if row.role == "system"])
    inside = np.array([not split or unit_split == split for unit_split in snapshot.units.splits], dtype=bool)
    snapshot = replace(snapshot, split=split, corpus=snapshot.units)
    return snapshot if inside.all() else _narrowed(snapshot, inside)


def _narrowed(snapshot: StudySnapshot, inside: Mask) -> StudySnapshot:
    new_places = np.cumsum(inside) - 1  # the place of each kept unit among them
    kept = {key for key, holds in zip(snapshot.units.ids, inside, strict=True) if holds}
    return replace(
        snapshot,
        units=units_in(snapshot.units, inside),
        systems=[replace(row, outputs=_of(row.outputs, inside)) for row in snapshot.systems],
        judgements={
            variant: {name: _judged(part, inside, new_places) for name, part in by_criterion.items()}
            for variant, by_criterion in snapshot.judgements.items()
        },
        unordered={name: _judged(part, inside, new_places) for name, part in snapshot.unordered.items()},
        scores={
            name: [None if part is None else _scored(part, inside) for part in of]
            for name, of in snapshot.scores.items()
        },
        context=_around(snapshot.context, inside, new_places),
        marked=[one for one in snapshot.marked if one.sentence in kept],
    )


def units_in(units: Units, inside: Mask) -> Units:
    """Some of the units.

    Args:
        units: The n units.
        inside: bool (n,), which.

    Returns:
        These; the first of those with one source is the home of the others.
    """
    first: dict[int, int] = {}
    homes = [first.setdefault(home, place) for place, home in enumerate(units.home[inside].tolist())]
    columns: dict[str, Any] = {field.name: _of(getattr(units, field.name), inside) for field in fields(Units)}
    return Units(**columns | {"home": np.array(homes, dtype=np.intp), "directions": units.directions})


def _of(column: Any, inside: Mask) -> Any:
    if isinstance(column, np.ndarray):
        return column[inside] if len(column) == len(inside) else column
    return (
        [value for value, here in zip(column, inside.tolist(), strict=True) if here]
        if len(column) == len(inside)
        else column
    )


def _judged(judged: CriterionJudgements, inside: Mask, new_places: NDArray[np.intp]) -> CriterionJudgements:
    here = inside[judged.unit]
    columns = {name: getattr(judged, name)[here] for name in ("system", "rater", "value", "text")}
    return replace(judged, unit=new_places[judged.unit[here]].astype(np.intp), **columns)


def _scored(scored: Scores, inside: Mask) -> Scores | None:
    """Scores within the split; source, reference and baselines are scored as a whole only (`evaluation.scoring`)."""
    narrowed_scores = narrowed(scored, inside) if scored.sufficient_statistics.shape[-1] else scored
    if narrowed_scores is None:
        return None
    return replace(
        narrowed_scores,
        sentences=narrowed_scores.sentences[inside],
        sufficient_statistics=narrowed_scores.sufficient_statistics[inside],
        there=narrowed_scores.there[inside],
    )


def _around(around: TextContext, inside: Mask, new_places: NDArray[np.intp]) -> TextContext:
    of_units = {name: _of(getattr(around, name), inside) for name in ("document", "numbers", "forms")}
    return replace(
        around, **of_units, linked={int(new_places[unit]): of for unit, of in around.linked.items() if inside[unit]}
    )
