"""Systems by the place that people gave them among one another (Rao and Tetreault 2018, Table 5, equation 1)."""

from collections.abc import Sequence

from evaluation.aggregation import method
from evaluation.ranking_models import COMPETITION, DENSE
from evaluation.snapshot import CriterionJudgements, StudySnapshot
from evaluation.table_parts.aspects import places_of, ranks_of
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.subsets import subsets_of
from evaluation.table_parts.system_columns import Column, human_column
from evaluation.table_parts.system_tables import star_note, table_of
from evaluation.tables._base import TableOrFigure
from foundation.papers import GYAFC

TITLE = "Overall ranking"
NOTE = (
    "The mean over sources of the mean over judges of a system's place; equal outputs share the best one. "
    "1 is the best."
)
WITHOUT_GAPS = "If the place after a tie is not left out (1, 1, 2 for 1, 1, 3), which the paper does not say, over all:"
NO_RANKS = "Nobody has ranked outputs among one another: open a human study in which people rank them."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """The systems from the best, with a column for each domain of each direction."""
    ranks = ranks_of(snapshot)
    if ranks is None:
        return missing_content(TITLE, NO_RANKS)
    parts = subsets_of(snapshot)
    columns = [human_column(snapshot, ranks, part, part.label if parts[1:] else "Mean rank") for part in parts]
    places = [place for place in places_of(snapshot, "source", "reference", "system") if _ranked(columns, place)]
    places.sort(key=lambda place: _first(columns, place))
    return table_of(
        snapshot, TITLE, places, columns, [NOTE, *_without_gaps(snapshot, ranks, places), *star_note(snapshot)]
    )


def _without_gaps(snapshot: StudySnapshot, ranks: CriterionJudgements, places: Sequence[int]) -> list[str]:
    """The same where the place after a tie is not left out, if that is another number: the paper does not say which."""
    rows = snapshot.units.home[ranks.unit], ranks.rater, ranks.system, ranks.value
    usual, dense = (method("mean_rank").ranks(*rows, ties=ties) for ties in (COMPETITION, DENSE))
    if all(usual[system].mean == dense[system].mean for system in usual):
        return []
    told = [f"{snapshot.systems[place].name} {dense[place].mean:.2f}" for place in places if place in dense]
    return [f"{WITHOUT_GAPS} {', '.join(told)}."]


def _ranked(columns: list[Column], place: int) -> bool:
    return any(column.cells[place].value is not None for column in columns)


def _first(columns: list[Column], place: int) -> float:
    """The rank in the first column that has one: of systems that over the sentences that all of them have."""
    return next(
        value if column.ranking is None else column.ranking.values.get(place, value)
        for column in columns
        if (value := column.cells[place].value) is not None
    )


TABLE = TableOrFigure(title=TITLE, make=make, paper=GYAFC, number="Table 5", order=105)
