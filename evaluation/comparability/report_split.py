"""The split that a report is about: all its numbers are over the sentences of that one."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.comparability.better_ends import narrowed
from evaluation.snapshot.judgements import CriterionJudgements
from evaluation.snapshot.study import StudySnapshot
from evaluation.snapshot.systems import ScoredOutputs, SystemRow
from evaluation.snapshot.units import TextContext, Units

Mask = NDArray[np.bool_]
TEST, ALL, USUAL = "test", "all", ""
CHOICES = (USUAL, TEST, "tune", "train", ALL)
"""What may be chosen: the usual is the test split where a system has outputs of it, else all."""


def split_of(chosen: str, splits: Sequence[str], systems: Sequence[SystemRow]) -> str:
    """The split that a report is about, "" for all units; a chosen one that no unit is of is all of them too."""
    if chosen == USUAL:
        of_test = [place for place, split in enumerate(splits) if split == TEST]
        return TEST if any(row.outputs[place] for row in systems for place in of_test) else ""
    return chosen if chosen != ALL and chosen in splits else ""


def in_split(snapshot: StudySnapshot, chosen: str) -> StudySnapshot:
    """The snapshot of the chosen split alone; as it is where that holds all its units."""
    split = split_of(chosen, snapshot.units.splits, [row for row in snapshot.systems if row.role == "system"])
    kept = np.array([not split or one == split for one in snapshot.units.splits], dtype=bool)
    snapshot = replace(snapshot, split=split, corpus=snapshot.units)
    return snapshot if kept.all() else _narrowed(snapshot, kept)


def _narrowed(snapshot: StudySnapshot, kept: Mask) -> StudySnapshot:
    at = np.cumsum(kept) - 1  # the place of each kept unit among them
    return replace(
        snapshot,
        units=units_in(snapshot.units, kept),
        systems=[replace(row, outputs=_of(row.outputs, kept)) for row in snapshot.systems],
        judgements={
            variant: {name: _judged(one, kept, at) for name, one in found.items()}
            for variant, found in snapshot.judgements.items()
        },
        scores={
            name: [None if one is None else _scored(one, kept) for one in of] for name, of in snapshot.scores.items()
        },
        context=_around(snapshot.context, kept, at),
    )


def units_in(units: Units, kept: Mask) -> Units:
    """Some of the units; the first of those with one source is the home of the others."""
    first: dict[int, int] = {}
    homes = [first.setdefault(home, place) for place, home in enumerate(units.home[kept].tolist())]
    columns: dict[str, Any] = {field.name: _of(getattr(units, field.name), kept) for field in fields(Units)}
    return Units(**columns | {"home": np.array(homes, dtype=np.intp), "directions": units.directions})


def _of(column: Any, kept: Mask) -> Any:
    if isinstance(column, np.ndarray):
        return column[kept] if len(column) == len(kept) else column
    return (
        [one for one, here in zip(column, kept.tolist(), strict=True) if here] if len(column) == len(kept) else column
    )


def _judged(judged: CriterionJudgements, kept: Mask, at: NDArray[np.intp]) -> CriterionJudgements:
    here = kept[judged.unit]
    columns = {name: getattr(judged, name)[here] for name in ("system", "rater", "value", "text")}
    return replace(judged, unit=at[judged.unit[here]].astype(np.intp), **columns)


def _scored(scored: ScoredOutputs, kept: Mask) -> ScoredOutputs | None:
    """Of source and reference, and of baselines, the whole is scored over the split (`evaluation.scoring`)."""
    found = narrowed(scored, kept) if scored.rows.shape[-1] else scored
    if found is None:
        return None
    return replace(found, sentences=found.sentences[kept], rows=found.rows[kept], there=found.there[kept])


def _around(around: TextContext, kept: Mask, at: NDArray[np.intp]) -> TextContext:
    of_units = {name: _of(getattr(around, name), kept) for name in ("document", "numbers", "forms")}
    return replace(around, **of_units, linked={int(at[one]): of for one, of in around.linked.items() if kept[one]})
