"""Appraise: its export as JSON lines, one text a row or several as `targets`, and its older table without a header.

A row of the table is a person, a system, an item, its type, two languages, a score, and moments at its end. Items that
check the rater (`CHK`, `BAD`) are left out, as the shared tasks do; so are marks of errors, which judge a part alone.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from evaluation.imported_judgements.rows import UnfoldedRow
from evaluation.imported_judgements.tool_formats._base import Cells, ToolFormat

EXPORT = frozenset(("annotator", "source_text", "item_type", "campaign_name"))
TARGET = re.compile(r"^targets\.(?P<place>\d+)\.(?P<field>target_id|target_text|score|duration)$")
MARKED = re.compile(r"^(?:targets\.\d+\.)?mqm_annotations")
ONE = {"annotator": "rater", "source_text": "source", "target_text": "output", "target_id": "system"}
SEVERAL = {"target_id": "system", "target_text": "output"}
OURS = re.compile(
    r"^(?:targets\.\d+\.(?!target_(?:id|text)$)|mqm_annotations|score$|item_|source_id$|source_language$|segment_id$"
    r"|target_language$|document_id$|is_complete_document$|batch_number$|campaign_name$|task_type$|start_time$|end_time$"
    r"|(?:source|target|target1|target2)?_?context_)"
)
TABLE = {1: "rater", 2: "system", 3: "number", 7: "rating: score"}
TYPES = frozenset(("TGT", "CHK", "BAD", "REF"))
KIND = "Column 4"
CHECKS = frozenset(("CHK", "BAD"))


def _is_table(columns: Sequence[str], rows: Sequence[Cells]) -> bool:
    return KIND in columns and len(columns) >= 10 and bool(rows) and all(row.get(KIND) in TYPES for row in rows)


def fits(columns: Sequence[str], rows: Sequence[Cells]) -> bool:
    return set(columns) >= EXPORT or _is_table(columns, rows)


def guess(
    columns: Sequence[str], rows: Sequence[Cells], criteria: Collection[str], systems: Collection[str]
) -> dict[str, str]:
    if _is_table(columns, rows):
        moments = {columns[-2]: "started", columns[-1]: "ended"}
        return {f"Column {place}": meaning for place, meaning in TABLE.items()} | moments
    meanings = {column: meaning for column, meaning in ONE.items() if column in columns}
    for column in columns:
        if (match := TARGET.match(column)) and match["field"] in SEVERAL:
            meanings[column] = f"{SEVERAL[match['field']]}: #{match['place']}"
    return meanings


def unfold(cells: Cells) -> Iterator[UnfoldedRow]:
    ratings, seconds = [("score", 0, cells["score"])] if cells.get("score") else [], [cells.get("duration", "")]
    for column, cell in cells.items():
        if cell and (match := TARGET.match(column)):
            if match["field"] == "score":
                ratings.append(("score", int(match["place"]), cell))
            elif match["field"] == "duration":
                seconds.append(cell)
    marked = any(cell and cell != "[]" and MARKED.match(column) for column, cell in cells.items())
    kind = cells.get("item_type", "") or (cells.get(KIND, "") if "Column 1" in cells else "")
    yield UnfoldedRow(
        cells, seconds=_sum(seconds), ratings=ratings, left_out="control" if kind in CHECKS else "",
        notes=["mqm"] if marked else [],
    )  # fmt: skip


def _sum(seconds: Sequence[str]) -> str:
    try:
        total = sum(float(one) for one in seconds if one)
    except ValueError:
        return ""
    return f"{total:g}" if total else ""


TOOL_FORMAT = ToolFormat(
    "Appraise", "Its export of scores, as JSON lines or as the older table.",
    "https://github.com/AppraiseDev/Appraise", fits, guess, unfold, finds_ratings=True,
    reads=lambda column: bool(OURS.match(column)),
)  # fmt: skip
