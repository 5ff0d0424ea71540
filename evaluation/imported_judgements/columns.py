"""The columns of a table of judgements by what they mean, and whether they can make a judgement."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foundation.errors import UserError

PLACE = re.compile(r"^(?P<name>.*)#(?P<place>\d{1,6})$", re.DOTALL)
RATER = re.compile(r"^(?P<name>.*?)(?:^|\s)by\s+(?P<rater>\S.*)$", re.DOTALL)
SYSTEM = re.compile(r"^(?P<name>[^@]*)@(?P<system>.+)$", re.DOTALL)


@dataclass(frozen=True)
class Column:
    """A column with its meaning; of a rating `name` is the criterion, `system` whose output it is of, `rater` who
    judged in this column."""

    column: str
    meaning: str
    name: str = ""
    place: int = 0
    system: str = ""
    rater: str = ""


def columns_of(mapping: Mapping[str, str]) -> list[Column]:
    """`{"Answer.fluency2": "rating: fluency #2"}` as columns.

    `rating: fluency @ Rules` is of that system's output, `rating: fluency by ann` is what ann said.
    """
    columns = []
    for column, meant in mapping.items():
        meaning, _, name = (part.strip() for part in meant.partition(":"))
        place = system = rater = ""
        if meaning == "rating" and (match := RATER.match(name)):
            name, rater = match["name"].rstrip(), match["rater"].strip()
        if match := PLACE.match(name):
            name, place = match["name"].rstrip(), match["place"]
        if match := SYSTEM.match(name):
            name, system = match["name"], match["system"].strip()
        if meaning and meaning != "ignore":
            columns.append(Column(column, meaning, name.strip(), int(place or 0), system, rater))
    return columns


def refuse_unready(columns: Sequence[Column], *, criterion: str, finds_ratings: bool, rater: bool = False) -> None:
    """Raise where the columns cannot make a judgement; `rater`: the settings, or the tool's table, say who judged."""
    meant = {column.meaning for column in columns}
    if not finds_ratings and not {"rating", "answers", "value"} & meant:
        raise UserError("No column holds values: map one to a rating of a criterion, or to the value.", where="mapping")
    if "value" in meant and "criterion" not in meant and not criterion:
        raise UserError("Name the criterion of the values, or the column that says it.", where="criterion")
    by_column = any(column.rater for column in columns)
    if "rater" not in meant and not rater and not by_column:
        raise UserError(
            "No column says who judged. If the columns are people, name them as in 'rating: fluency by ann'; if it is "
            "one person's table, give the rater's name.",
            where="mapping",
        )
    if "rater" in meant and by_column:
        raise UserError("Who judged is said twice: by a column, and by its ratings or the settings.", where="mapping")
    places = {column.place for column in columns if column.meaning == "rating"}
    if not {"source", "number", "key", "output"} & meant and places <= {0}:
        raise UserError(
            "No column says what was judged: the source, its number, or the text that was judged.", where="mapping"
        )
    unnamed = next((column.column for column in columns if column.meaning == "rating" and not column.name), None)
    if unnamed:
        raise UserError("Name the criterion of the column '{unnamed}'.", unnamed=unnamed, where="mapping")
