"""doccano: JSON lines of one person, a file each, or of an older version with the users beside their labels.

Only a file's name says whose it is.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from corpora.table_parser.several_files import FILE
from evaluation.imported_judgements.columns import guess_columns
from evaluation.imported_judgements.placed_marks import Placed, placed
from evaluation.imported_judgements.rows import UnfoldedRow
from evaluation.imported_judgements.tool_formats._base import Cells, ToolFormat

LABEL = re.compile(r"^(?:labels?|cats?)(?:\.\d+)?$")
SPAN = re.compile(r"^(?:labels?|entities)\.\d+\.\w+$|^relations\.")
SPAN_LABEL = re.compile(r"^(?:labels?\.\d+\.3|entities\.\d+\.label)$")
OF_USER = re.compile(r"^annotations\.(?P<number>\d+)\.(?P<field>\w+)$")
LISTED = re.compile(r"^(?:labels?|cats?)\.\d+$|^entities\.\d+\.start_offset$")
ABOUT = re.compile(r"^(?:id|text|data|meta(?:\..+)?|[Cc]omments(?:\..+)?|annotation_approver)$")


def reads(column: str) -> bool:
    return bool(LABEL.match(column) or SPAN.match(column) or OF_USER.match(column))


def finds_raters(columns: Sequence[str]) -> bool:
    return any((match := OF_USER.match(column)) and match["field"] == "user" for column in columns)


def fits(columns: Sequence[str], rows: Sequence[Cells]) -> bool:
    ours = any(reads(column) for column in columns) and bool({"text", "data"} & set(columns)) and "id" in columns
    marked = any(column.lower().startswith(("comments", "annotation_approver")) for column in columns)
    listed = any(map(LISTED.match, columns))
    alone = all(reads(column) or ABOUT.match(column) for column in columns)
    return ours and (marked or listed or finds_raters(columns) or alone)


def guess(
    columns: Sequence[str], rows: Sequence[Cells], criteria: Collection[str], systems: Collection[str]
) -> dict[str, str]:
    own = [
        name
        for name in columns
        if not reads(name) and name not in ("id", FILE) and not name.lower().startswith("comments")
    ]
    meanings = guess_columns([name for name in own if not name.startswith("meta.")], rows, criteria, systems)
    meanings |= guess_columns(
        [name for name in own if name.startswith("meta.")], rows, criteria, systems, strip="meta."
    )
    text = next((column for column in ("text", "data") if column in columns), "")
    whose = {FILE: "rater"} if FILE in columns and not finds_raters(columns) else {}  # a file a person
    return meanings | ({text: "output"} if text else {}) | whose


def unfold(cells: Cells) -> Iterator[UnfoldedRow]:
    labels = [cell for column, cell in cells.items() if cell and LABEL.match(column)]
    spans = [("span", cell) for column, cell in cells.items() if cell and SPAN_LABEL.match(column)]
    stretches = _stretches(cells)
    notes = ["relations"] if any(cell and column.startswith("relations.") for column, cell in cells.items()) else []
    marked: dict[str, list[tuple[str, str]]] = {}
    places: dict[str, list[Placed]] = {}
    users: dict[str, dict[str, str]] = {}
    for column, cell in cells.items():
        if cell and (match := OF_USER.match(column)):
            users.setdefault(match["number"], {})[match["field"]] = cell
    by_user: dict[str, list[str]] = {}
    for fields in users.values():
        if "start_offset" in fields:
            span, user = ("span", fields.get("label", "")), fields.get("user", "")
            marked.setdefault(user, []).append(span)
            places.setdefault(user, []).append(placed(fields, [span], "start_offset", "end_offset"))
        elif said := fields.get("label") or fields.get("text"):
            by_user.setdefault(fields.get("user", ""), []).append(said)
    if labels or notes or not users:
        rated = [("label", 0, "; ".join(labels))] if labels else []
        yield UnfoldedRow(cells, ratings=rated, notes=notes, spans=spans, placed=stretches)
    for user in dict.fromkeys([*by_user, *marked]):
        rated = [("label", 0, "; ".join(by_user[user]))] if user in by_user else []
        yield UnfoldedRow(cells, user, ratings=rated, spans=marked.get(user, ()), placed=places.get(user, ()))


def _stretches(cells: Cells) -> list[Placed]:
    """The spans with their places: objects of newer versions, lists `[start, end, label]` of older ones."""
    found = []
    for column, label in cells.items():
        if label and SPAN_LABEL.match(column):
            stem, _, last = column.rpartition(".")
            start, end = ("start_offset", "end_offset") if last == "label" else ("1", "2")
            found.append(placed(cells, [("span", label)], f"{stem}.{start}", f"{stem}.{end}"))
    return found


TOOL_FORMAT = ToolFormat(
    "doccano", "JSON lines, a file a person, or with the users beside their labels.",
    "https://doccano.github.io/doccano/", fits, guess, unfold, finds_ratings=True, finds_raters=finds_raters,
    reads=reads,
)  # fmt: skip
