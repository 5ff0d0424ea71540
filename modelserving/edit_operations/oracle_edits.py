"""The fewest edits from one text to another, as EditNTS learns them (Dong et al. 2019), and what edits make of a text.

Edits are read from left to right with a pointer at the source's first word: KEEP writes its word and goes on, DELETE
goes on, ADD writes a word of its own, STOP keeps all that is left and ends. There is no substitution.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple


class Operation(Enum):
    KEEP = "KEEP"
    DELETE = "DELETE"
    ADD = "ADD"
    STOP = "STOP"


class Edit(NamedTuple):
    """An operation; `word` is what an ADD writes."""

    operation: Operation
    word: str = ""


KEEP, DELETE, STOP = Edit(Operation.KEEP), Edit(Operation.DELETE), Edit(Operation.STOP)


def oracle_edits(source: Sequence[str], target: Sequence[str]) -> list[Edit]:
    """The edits with the fewest ADDs and DELETEs, of which one STOP is the last.

    Of several such, the one whose words are kept as late as can be, and where words are added before others are
    deleted, as in the authors' program. What is kept at the end is left to STOP.
    """
    table = edit_distances(source, target)
    edits = []
    i, j = len(source), len(target)
    while i or j:
        if i and j and source[i - 1] == target[j - 1]:
            i, j = i - 1, j - 1
            edits.append(KEEP)
        elif i and (not j or table[i][j] == table[i - 1][j] + 1):
            i -= 1
            edits.append(DELETE)
        else:
            j -= 1
            edits.append(Edit(Operation.ADD, target[j]))
    edits.reverse()
    while edits and edits[-1] == KEEP:
        edits.pop()
    return [*edits, STOP]


def edit_distances(source: Sequence[str], target: Sequence[str]) -> list[list[int]]:
    """The fewest words to add and delete from the first i words of the source to the first j of the target: [i][j]."""
    table = [list(range(len(target) + 1))]
    for number, word in enumerate(source, 1):
        above, row = table[-1], [number]
        for j, other in enumerate(target):
            row.append(above[j] if word == other else 1 + min(row[j], above[j + 1]))
        table.append(row)
    return table


def execute(source: Sequence[str], edits: Iterable[Edit]) -> list[str]:
    """What the edits make of the source. Behind its last word there is nothing to keep or delete.

    The source is kept from where the edits end, with a STOP or without.
    """
    written, at = list[str](), 0
    for operation, word in edits:
        if operation is Operation.STOP:
            break
        if operation is Operation.ADD:
            written.append(word)
            continue
        if operation is Operation.KEEP:
            written.extend(source[at : at + 1])
        at += 1
    return written + list(source[at:])
