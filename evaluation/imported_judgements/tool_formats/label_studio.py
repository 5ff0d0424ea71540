"""Label Studio: JSON, a task with the annotations of several people, or CSV and JSON-MIN, a row an annotation.

The question of a result is its `from_name`; ratings, numbers and single choices are values.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

import orjson

from evaluation.imported_judgements.columns import guess_columns, numbered
from evaluation.imported_judgements.placed_marks import Placed, placed
from evaluation.imported_judgements.rows import UnfoldedRow
from evaluation.imported_judgements.tool_formats._base import Cells, ToolFormat

RESULT = re.compile(r"^annotations\.(?P<who>\d+)\.(?:result\.(?P<result>\d+)\.(?P<rest>.+)|(?P<field>.+))$")
VALUE = re.compile(r"^value\.(?P<kind>rating|number|choices|text|selected|datetime|taxonomy)(?:\.\d+)*$")
SPAN = re.compile(r"^value\.(?:start|end|x|y|points|ranker|items)(?:\.|$)")
LABELS = re.compile(r"^value\.(?:labels|hypertextlabels|paragraphlabels|choices)\.\d+$")
PREDICTED = re.compile(r"^predictions\.1\.result\.\d+\.value\.text(?:\.1)?$")
READ = ("annotations.", "predictions.", "drafts.", "meta.", "agreement", "file_upload", "total_", "cancelled_",
        "comment_", "unresolved_", "last_comment", "inner_id", "project", "created_", "updated_")  # fmt: skip
WRITTEN = "textarea"
PEOPLE = ("completed_by.email", "completed_by.id", "completed_by")


def fits(columns: Sequence[str], rows: Sequence[Cells]) -> bool:
    return any(column.startswith("annotations.") for column in columns) or {"annotator", "lead_time"} <= set(columns)


def guess(
    columns: Sequence[str], rows: Sequence[Cells], criteria: Collection[str], systems: Collection[str]
) -> dict[str, str]:
    own = [name for name in columns if not reads(name) or "annotator" in columns]
    meanings = guess_columns([name for name in own if not name.startswith("data.")], rows, criteria, systems)
    meanings = {
        column: meaning for column, meaning in meanings.items() if meaning not in ("number", "started", "ended")
    }
    meanings |= guess_columns(
        [name for name in own if name.startswith("data.")], rows, criteria, systems, strip="data."
    )
    meant = {meaning.partition(":")[0] for meaning in meanings.values()}
    predicted = next(filter(PREDICTED.match, columns), None)
    if predicted and not meant & {"output", "system"}:  # what a model wrote, and people were shown to rate
        meanings |= {predicted: "output"}
        meanings |= {name: "system" for name in columns if name == "predictions.1.model_version"}
    if "annotator" in columns:
        meanings |= {"annotator": "rater", "lead_time": "seconds"}
    return meanings


def unfold(cells: Cells) -> Iterator[UnfoldedRow]:
    people: dict[str, dict[str, str]] = {}
    results: dict[tuple[str, str], dict[str, str]] = {}
    for column, cell in cells.items():
        if cell and (match := RESULT.match(column)):
            if match["result"]:
                results.setdefault((match["who"], match["result"]), {})[match["rest"]] = cell
            else:
                people.setdefault(match["who"], {})[match["field"]] = cell
    if not people:
        yield UnfoldedRow({column: _plain(cell) for column, cell in cells.items()})
    for who, fields in people.items():
        own = [result for (of, _), result in results.items() if of == who]
        ratings = [rating for result in own if (rating := _rating(result))]
        marked = [spans for result in own if (spans := _spans(result))]
        notes = [result.get("from_name", "") for result in own if _rating(result) is None and not _spans(result)]
        cancelled = fields.get("was_cancelled", "").lower() in ("true", "1")
        rater = next((fields[name] for name in PEOPLE if fields.get(name)), "")
        yield UnfoldedRow(
            cells, rater, fields.get("lead_time", ""), ratings, "skipped" if cancelled else "", notes,
            spans=[span for of_result in marked for span in of_result], placed=_placed(own),
            written_at=fields.get("updated_at") or fields.get("created_at", ""),
        )  # fmt: skip


def _rating(result: Mapping[str, str]) -> tuple[str, int, str] | None:
    """A result's answer to one question: its value, or all of several; None for a span or an order."""
    said = [cell for name, cell in result.items() if cell and VALUE.match(name)]
    name, place = numbered(result.get("from_name", ""))
    return (name, place, "; ".join(said)) if name and said and not any(map(SPAN.match, result)) else None


def _spans(result: Mapping[str, str]) -> list[tuple[str, str]]:
    """The marks of a stretch of text, (question, label); none for another result."""
    if not (result.get("value.start") and result.get("value.end")):
        return []
    labels = [cell for name, cell in result.items() if cell and LABELS.match(name)]
    return [(result.get("from_name", ""), label) for label in labels or [""]]


def _placed(results: Sequence[Mapping[str, str]]) -> list[Placed]:
    """The regions with their labels: results of one `id` are one region that was asked several things."""
    regions: dict[str, list[Mapping[str, str]]] = {}
    for number, result in enumerate(results):
        if _spans(result):
            regions.setdefault(result.get("id") or str(number), []).append(result)
    return [_region(list(of)) for of in regions.values()]


def _region(results: Sequence[Mapping[str, str]]) -> Placed:
    cells = {name: cell for result in reversed(results) for name, cell in result.items()}
    labels = [span for result in results for span in _spans(result) if result.get("type") != WRITTEN]
    reasons = [result.get("value.text.1") or result.get("value.text", "") for result in results
               if result.get("type") == WRITTEN]  # fmt: skip
    shown = [result["value.text"] for result in results if result.get("type") != WRITTEN and "value.text" in result]
    kind = "value.globalOffsets." if "value.globalOffsets.start" in cells else "value."
    return placed(cells, labels, f"{kind}start", f"{kind}end", quote=next(iter(shown), ""), of=cells.get("to_name", ""),
                  reason="; ".join(filter(None, reasons)))  # fmt: skip


def reads(column: str) -> bool:
    return column.startswith(READ)


def _plain(cell: str) -> str:
    """A cell of CSV that is JSON, such as [{"rating": 4}], as its value; any other as it is."""
    if not cell.startswith(("[", "{")):
        return cell
    try:
        value = orjson.loads(cell)
    except ValueError:
        return cell
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict):
        value = next((value[key] for key in ("rating", "number", "choices", "text") if key in value), cell)
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return str(value) if isinstance(value, str | int | float) else cell


TOOL_FORMAT = ToolFormat(
    "Label Studio", "JSON with the annotations of several people, JSON-MIN, or CSV.",
    "https://labelstud.io/guide/export", fits, guess, unfold, finds_ratings=True,
    finds_raters=lambda columns: "annotator" not in columns, reads=reads,
)  # fmt: skip
