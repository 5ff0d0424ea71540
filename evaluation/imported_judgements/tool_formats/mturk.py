"""Batch results of Amazon Mechanical Turk: a row is an assignment, with one output or several.

The columns `Input.` hold the texts of the page, the columns `Answer.` the worker's answers. Radio buttons of a crowd
form are a column a button, such as `Answer.fluency.4`, with true in the chosen one.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from evaluation.imported_judgements.columns import first_number, guess_columns, numbered
from evaluation.imported_judgements.rows import PAIR, UnfoldedRow
from evaluation.imported_judgements.tool_formats._base import Cells, ToolFormat

BUTTON = re.compile(r"^Answer\.(?P<name>.+)\.(?P<value>[^.]+)$")
FIXED = {"WorkerId": "rater", "WorkTimeInSeconds": "seconds", "AssignmentStatus": "state", "Reject": "rejected"}
TARGET = "Input.target"
NOT_ASKED = frozenset(("comment", "comments", "feedback", "surveycode", "submit"))
TRUE = frozenset(("true", "on", "1", "yes"))


def fits(columns: Sequence[str], rows: Sequence[Cells]) -> bool:
    return "WorkerId" in columns and any(column.startswith("Answer.") for column in columns)


def guess(
    columns: Sequence[str], rows: Sequence[Cells], criteria: Collection[str], systems: Collection[str]
) -> dict[str, str]:
    shown = [column for column in columns if column.startswith("Input.")]
    meanings = {column: meaning for column, meaning in FIXED.items() if column in columns}
    texts = guess_columns([name for name in shown if name != TARGET], rows, (), systems, strip="Input.")
    if TARGET in columns:  # an output of that name, or the style that it is to have
        has_output = any(text_meaning.partition(":")[0] == "output" for text_meaning in texts.values())
        texts[TARGET] = "direction" if has_output else "output"
    meanings |= texts
    return meanings | _ratings(columns, rows)


def _ratings(columns: Sequence[str], rows: Sequence[Cells]) -> dict[str, str]:
    """A column of pairs holds all ratings; else those of one criterion each do, if they do not repeat the input."""
    answers = [label for label in columns if label.startswith("Answer.") and not BUTTON.match(label)]
    pairs = {answer: _pairs(answer, rows) for answer in answers}
    if most := max(pairs.values(), default=0):
        return {next(label for label, count in pairs.items() if count == most): "answers"}
    begin, meanings = first_number(answer.removeprefix("Answer.") for answer in answers), dict[str, str]()
    for column in answers:
        own = column.removeprefix("Answer.")
        name, place = numbered(own, begin)
        long = any(len(row.get(column, "")) > 40 for row in rows)
        if not long and f"Input.{own}" not in columns and name.lower() not in NOT_ASKED:
            meanings[column] = f"rating: {name} #{place}" if place else f"rating: {name}"
    return meanings


def _pairs(column: str, rows: Sequence[Cells]) -> int:
    """How many criterion=value pairs its cells hold, if these are most of their content; else 0."""
    parts = [part for row in rows for part in row.get(column, "").split()]
    count = sum(bool(PAIR.match(part)) for part in parts)
    return count if count > len(parts) / 2 else 0


def unfold(cells: Cells) -> Iterator[UnfoldedRow]:
    ratings = []
    for column, cell in cells.items():
        if cell.strip().lower() in TRUE and (match := BUTTON.match(column)):
            name, place = numbered(match["name"])
            ratings.append((name, place, match["value"]))
    yield UnfoldedRow(cells, ratings=ratings)


TOOL_FORMAT = ToolFormat(
    "Mechanical Turk", "Batch results: one output an assignment, several in numbered columns, or lists in cells.",
    "https://docs.aws.amazon.com/AWSMechTurk/latest/RequesterUI/ReviewingResultsOutsideoftheRUI.html",
    fits, guess, unfold, finds_ratings=True, short_rows=True,
)  # fmt: skip
