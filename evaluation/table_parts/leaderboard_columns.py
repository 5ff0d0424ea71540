"""The report's boards by name: of every criterion, joint score and metric, and of GYAFC's Combined."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import metric_label, places_of
from evaluation.table_parts.system_columns import (
    Column,
    combined_column,
    human_column,
    joint_column,
    metric_column,
)

NOTHING = "Nothing has been judged or scored: choose metrics, or open a human study."
NO_SYSTEM = "The study has no systems to put in order: add them with their outputs."


@dataclass(frozen=True)
class Board:
    """One of them: `name` is a criterion, a metric, a joint score, or "human" or "metrics" of the Combined.

    `numbers` is its report.
    """

    label: str
    kind: Literal["criteria", "metrics", "combined", "joint"]
    name: str
    numbers: Mapping[str, Any]

    def column(self, snapshot: StudySnapshot) -> Column:
        """Its values with intervals and stars, by the systems' places."""
        if self.kind == "combined":
            combined = combined_column(snapshot, self.name, self.label)
            assert combined is not None
            return combined
        if self.kind == "joint":
            return joint_column(snapshot, self.name)
        if self.kind == "criteria":
            return human_column(snapshot, snapshot.judgements[snapshot.variant][self.name])
        return metric_column(snapshot, self.name)


def by_people(snapshot: StudySnapshot) -> list[Board]:
    """The Combined first, where there is one, and joint scores that are defined."""
    boards = snapshot.report["leaderboard"]
    judged = snapshot.judgements[snapshot.variant]
    whole = boards["combined"]["human"]
    first = [Board("Combined", "combined", "human", whole)] if whole else []
    first += [Board(name, "joint", name, board) for name, board in boards["joint"].items() if not board["undefined"]]
    return [*first, *(Board(judged[name].label, "criteria", name, board) for name, board in boards["criteria"].items())]


def by_metrics(snapshot: StudySnapshot) -> list[Board]:
    """The Combined of metrics first, where there is one."""
    boards = snapshot.report["leaderboard"]
    whole = boards["combined"]["metrics"]
    first = [Board("Combined of metrics", "combined", "metrics", whole)] if whole else []
    return [
        *first,
        *(Board(metric_label(snapshot, name), "metrics", name, board) for name, board in boards["metrics"].items()),
    ]


def reasons_of(snapshot: StudySnapshot) -> list[str]:
    """What a leaderboard lacks: texts that were judged without any system have no order."""
    nobody = [] if places_of(snapshot, "system") else [NO_SYSTEM]
    return nobody or ([] if boards_of(snapshot) else [NOTHING])


def boards_of(snapshot: StudySnapshot) -> list[Board]:
    """People's first; those on which some system has a value."""
    boards = [*by_people(snapshot), *by_metrics(snapshot)]
    return [board for board in boards if any(row["value"] is not None for row in board.numbers["rows"])]
