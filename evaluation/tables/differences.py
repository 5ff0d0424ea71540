"""Each system's gain over the baseline on each board: the difference with its interval, effect size and p."""

from collections.abc import Mapping
from typing import Any

from evaluation.aggregation import correction_of
from evaluation.snapshot import StudySnapshot
from evaluation.statistics import STATISTICS
from evaluation.table_parts.aspects import places_of
from evaluation.table_parts.columns import boards_of, name_cell, reasons_of
from evaluation.table_parts.contents import (
    Cell,
    MissingContent,
    Table,
    interval_text,
    joined,
    missing_content,
    number,
    p_text,
)
from evaluation.tables._base import TableOrFigure
from foundation.translation import translatable

TITLE = "Differences from the baseline"
NO_BASELINE = translatable("No system is compared with: choose a baseline.")
ALONE = "There is no system to compare with the baseline."
NOT_COMPARED = "One of the two is not ranked, or has no number."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a system that competes, a column a board."""
    if reasons := reasons_of(snapshot):
        return missing_content(TITLE, *reasons)
    if snapshot.baseline is None:
        return missing_content(TITLE, NO_BASELINE)
    places = [place for place in places_of(snapshot, "system") if place != snapshot.baseline]
    if not places:
        return missing_content(TITLE, ALONE)
    boards = boards_of(snapshot)
    by_system = [{row["system"]: row for row in board.numbers["rows"]} for board in boards]
    rows = [
        [name_cell(snapshot.systems[place]), *(_cell(rows[snapshot.systems[place].name]) for rows in by_system)]
        for place in places
    ]
    return Table(TITLE, ["System", *(board.label for board in boards)], rows, _notes(snapshot))


def _cell(row: Mapping[str, Any]) -> Cell:
    if row["difference"] is None:
        return number(None, why=NOT_COMPARED)
    low, high, effect = row["difference_low"], row["difference_high"], row["effect"]
    size = "" if effect is None else f"r = {effect:z.2f}"
    return number(
        row["difference"],
        small=joined(interval_text(low, high, 2), size, p_text(row["p"])),
        parts={"low": low, "high": high, "effect": effect, "p": row["p"], "corrected": row["corrected"]},
        stars=row["stars"],
    )


def _notes(snapshot: StudySnapshot) -> list[str]:
    name = snapshot.systems[snapshot.baseline or 0].name
    board = snapshot.report["leaderboard"]
    entry, correction = STATISTICS[board["test"]], correction_of(snapshot)
    interval, test = STATISTICS[board["interval"]].label.lower(), entry.label.lower()
    return [
        f"Each number is the system's less that of {name}, over the sources that both have, with a 95% interval "
        f"({interval} over sources).",
        f"The size of the effect is r, from -1 to 1: {entry.effect}. p is by {test}. "  # type: ignore[attr-defined]
        f"* p < {snapshot.alpha:g}{f', corrected a column ({correction})' if correction else ''}.",
    ]


TABLE = TableOrFigure(title=TITLE, make=make, kind="study", order=8)
