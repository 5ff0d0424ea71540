"""INCEpTION and WebAnno: WebAnno TSV 3.x, a file a person in a folder a document, as a project's export holds them.

A mark of a whole sentence is a value of its feature, a mark within it is a span
(`corpora.table_parser.annotated_texts`). The curator's files, and those as a document was imported, count for nobody.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from corpora.table_parser.annotated_texts import COLUMN, is_feature
from corpora.table_parser.several_files import FILE, FOLDER
from evaluation.imported_judgements.columns import guess_columns
from evaluation.imported_judgements.placed_marks import Placed
from evaluation.imported_judgements.rows import UnfoldedRow
from evaluation.imported_judgements.tool_formats._base import Cells, ToolFormat

PLACED = re.compile(r"^(?P<label>.*?) ?\[(?P<start>\d+)-(?P<end>\d+)\]$")
NOBODYS = {"CURATION_USER": "curation", "curation": "curation", "INITIAL_CAS": "as it was imported"}


def named(column: str) -> str:
    """The question of a column: its feature, with its layer where the feature is only its value."""
    match = COLUMN.match(column)
    layer, feature = (match["layer"].rpartition(".")[2], match["feature"]) if match else ("", "")
    return layer if feature in ("", "value", "label") else feature


def fits(columns: Sequence[str], rows: Sequence[Cells]) -> bool:
    return "sentence" in columns and any(map(is_feature, columns))


def guess(
    columns: Sequence[str], rows: Sequence[Cells], criteria: Collection[str], systems: Collection[str]
) -> dict[str, str]:
    others = [name for name in columns if not is_feature(name) and name not in ("sentence", FILE, FOLDER, "Row")]
    meanings = guess_columns(others, rows, criteria, systems) | {"sentence": "output"}
    return meanings | ({FILE: "rater"} if FILE in columns else {})


def unfold(cells: Cells) -> Iterator[UnfoldedRow]:
    ratings, spans = list[tuple[str, int, str]](), list[Placed]()
    for column, cell in cells.items():
        for mark in cell.split("; ") if cell and is_feature(column) else ():
            if found := PLACED.match(mark):
                label = (named(column), found["label"])
                spans.append(Placed(int(found["start"]), int(found["end"]), [label], utf16=True))
            else:
                ratings.append((named(column), 0, mark))
    yield UnfoldedRow(
        cells, ratings=ratings, left_out=NOBODYS.get(cells.get(FILE, ""), ""),
        spans=[label for one in spans for label in one.labels], placed=spans,
    )  # fmt: skip


TOOL_FORMAT = ToolFormat(
    "INCEpTION", "Documents as WebAnno TSV 3, one person's, or a project's export with a file a person.",
    "https://inception-project.github.io/", fits, guess, unfold, finds_ratings=True, reads=is_feature,
)  # fmt: skip
