"""Potato: what was annotated as JSON lines, a file a person, or as one table with a column a label, `fluency:::4`.

An instance's id stands for its source: its number here, or number and system, such as `12_Rules`.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from evaluation.imported_judgements.column_guess import guess_columns, numbered
from evaluation.imported_judgements.rows import UnfoldedRow
from evaluation.imported_judgements.tool_formats._base import Cells, ToolFormat

LABEL = re.compile(
    r"^(?:label_annotations|annotation|annotations)\.(?P<name>.+)\.(?P<label>[^.]+)$|^(?P<of>.+):::(?P<its>.+)$"
)
SPENT = ("behavioral_data.time_string", "time_string")
NO = frozenset(("", "false", "0", "none", "null"))
SCALE = re.compile(r"^scale[_ ]?(?P<number>-?\d+)$")


def fits(columns: Sequence[str], rows: Sequence[Cells]) -> bool:
    marked = any(LABEL.match(column) for column in columns)
    return marked and bool({"id", "instance_id"} & set(columns))


def guess(
    columns: Sequence[str], rows: Sequence[Cells], criteria: Collection[str], systems: Collection[str]
) -> dict[str, str]:
    own = [name for name in columns if not LABEL.match(name) and not name.startswith(("behavioral_data", "span_"))]
    meanings = {
        column: meaning
        for column, meaning in guess_columns(own, rows, criteria, systems).items()
        if meaning != "number"
    }
    meanings |= {column: "key" for column in ("id", "instance_id") if column in columns}
    meanings |= {column: "rater" for column in ("user", "user_id", "annotator") if column in columns}
    return meanings


def unfold(cells: Cells) -> Iterator[UnfoldedRow]:
    ratings = []
    for column, cell in cells.items():
        match = LABEL.match(column)
        if match is None:
            continue
        label = match["label"] or match["its"]
        if cell.strip().lower() in NO and cell.strip() != label:
            continue
        scaled = SCALE.match(label)
        value = scaled["number"] if scaled else label if cell.strip().lower() in ("true", "1") else cell
        name, place = numbered(match["name"] or match["of"])
        ratings.append((name, place, value))
    yield UnfoldedRow(cells, seconds=next((cells[name] for name in SPENT if cells.get(name)), ""), ratings=ratings)


TOOL_FORMAT = ToolFormat(
    "Potato", "Annotated instances, as JSON lines of one person or as a table of all.",
    "https://potato-annotation.readthedocs.io/", fits, guess, unfold, finds_ratings=True,
    reads=lambda column: bool(LABEL.match(column)) or column.startswith(("behavioral_data", "span_")),
)  # fmt: skip
