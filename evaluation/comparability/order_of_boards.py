"""Which board of people comes first, and so orders the systems: a frozen plan's main criterion, where there is one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from evaluation.snapshot import StudySnapshot

Json = Mapping[str, Any]


class PeoplesBoard(NamedTuple):
    """A board of the report: a criterion's or a joint score's `name`, or "human" for people's Combined.

    `is_main`: the frozen plan of a human study names the criterion for its main comparison.
    """

    kind: Literal["criteria", "combined", "joint"]
    name: str
    board: Json
    is_main: bool


def main_criteria(snapshot: StudySnapshot) -> list[str]:
    """The keys of the judgements that frozen plans name for their main comparison, those of the newest plan first."""
    judged = snapshot.judgements[snapshot.variant]
    return list(dict.fromkeys(
        name
        for criterion, direction in snapshot.planned
        for name, of in judged.items()
        if of.own_name == criterion
        and (not direction or of.direction is None or snapshot.units.directions[of.direction] == direction)
    ))  # fmt: skip


def peoples_boards(boards: Json) -> list[PeoplesBoard]:
    """Those of a report, the one that orders the systems first: main criteria, Combined, joint scores, the others."""
    return [*_main(boards), *_others(boards)]


def _main(boards: Json) -> Iterator[PeoplesBoard]:
    names: Sequence[str] = boards.get("main", ())  # which a report of before does not say
    for name in names:
        yield PeoplesBoard("criteria", name, boards["criteria"][name], True)


def _others(boards: Json) -> Iterator[PeoplesBoard]:
    if whole := boards["combined"]["human"]:
        yield PeoplesBoard("combined", "human", whole, False)
    for name, board in boards.get("joint", {}).items():
        if not board["undefined"]:
            yield PeoplesBoard("joint", name, board, False)
    for name, board in boards["criteria"].items():
        if name not in boards.get("main", ()):
            yield PeoplesBoard("criteria", name, board, False)
