"""What each metric is fooled by: its score of outputs that no good system would give (after Cao et al. 2020, 4.10)."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.comparability.better_ends import label_of_metric
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.cells import DASH, Cell, number
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.fooled_metrics import is_fooled
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.model_rows import digits_of
from evaluation.tables._base import TableOrFigure
from foundation.papers import MSD

TITLE = "What each metric is fooled by"
NO_FOILS = "No foil, such as the source copied, has been scored yet: choose metrics, and make the report again."
NOTE = (
    "Under a score is the place that the foil would have among the systems that are no people, 1 being the best; "
    "'fooled by' names those that would stand above half of them or more. Neither end of some metrics is the better "
    "one: they are fooled by nothing."
)


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a metric, a column a degenerate baseline."""
    foils = foils_of(snapshot)
    if not foils:
        return missing_content(TITLE, NO_FOILS)
    names = [name for name in snapshot.scores if any(name in foil["metrics"] for foil in foils)]
    rows = [_row(name, foils) for name in names]
    head = ["Metric", "Fooled by", *(foil["label"] for foil in foils)]
    return Table(TITLE, head, rows, [NOTE, *(f"{foil['label']}: {foil['about']}" for foil in foils)])


def foils_of(snapshot: StudySnapshot) -> Sequence[Mapping[str, Any]]:
    """The degenerate baselines that some metric has scored."""
    return [foil for foil in snapshot.report["trust"]["foils"] if foil["metrics"]]


def _row(name: str, foils: Sequence[Mapping[str, Any]]) -> list[Cell]:
    fooled = [foil["label"] for foil in foils if name in foil["metrics"] and is_fooled(foil["metrics"][name])]
    cells = [_cell(name, foil["metrics"].get(name)) for foil in foils]
    return [Cell(label_of_metric(name)), Cell("; ".join(fooled) or DASH), *cells]


def _cell(name: str, placing: Mapping[str, Any] | None) -> Cell:
    if placing is None:
        return number(None, why="It was not scored.")
    place = "" if placing["place"] is None else f"{placing['place']} of {placing['of']}"
    parts = {"place": placing["place"], "of": placing["of"]}
    return number(placing["score"], digits_of(name), placing["undefined"], small=place, parts=parts)


TABLE = TableOrFigure(title=TITLE, make=make, kind="trust", paper=MSD, number="Section 4.10", order=3)
