"""Potato: what it keeps of each person (a folder a person), its exports, and the files of its earlier versions.

An instance's id stands for its source: its number here, or number and system, such as `12_Rules`; where it is neither,
the text that was shown does. A label is a key below its question, `labels.fluency.scale_4`, or a column,
`fluency:::scale_4` and, in a table of Potato's export, `fluency.scale_4`.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

import orjson

from corpora.table_parser.several_files import FOLDER
from evaluation.imported_judgements.columns import guess_columns, numbered
from evaluation.imported_judgements.placed_marks import Placed, placed
from evaluation.imported_judgements.rows import UnfoldedRow
from evaluation.imported_judgements.tool_formats._base import Cells, ToolFormat

LABEL = re.compile(
    r"^(?:label_annotations|annotation|annotations|labels)\.(?P<name>.+)\.(?P<label>[^.]+)$"
    r"|^(?P<of>.+):::(?P<its>.+)$"
)
EXPORTED = re.compile(r"^(?P<name>[^.:]+)\.(?P<label>(?!_spans$)[^.]+)$")
OTHERS = ("behavioral_data", "span_", "spans", "links")
PEOPLE = ("user", "user_id", "annotator")
SPENT = ("behavioral_data.time_string", "time_string")
NO = frozenset(("", "false", "0", "none", "null"))
SPAN_NAME = re.compile(r"^spans\.\d+\.name$|^spans\.[^.]+\.\d+\.(?:name|label)$")
SCALE = re.compile(r"^scale[_ ]?(?P<number>-?\d+)$")


def matched(column: str, columns: Iterable[str]) -> re.Match[str] | None:
    """Question and label of a column; in the table of an export its name says both."""
    exported = "instance_id" in columns and "user_id" in columns
    return LABEL.match(column) or (EXPORTED.match(column) if exported and not column.startswith(OTHERS) else None)


def fits(columns: Sequence[str], rows: Sequence[Cells]) -> bool:
    marked = any(matched(column, columns) for column in columns)
    return marked and bool({"id", "instance_id"} & set(columns))


def guess(
    columns: Sequence[str], rows: Sequence[Cells], criteria: Collection[str], systems: Collection[str]
) -> dict[str, str]:
    own = [name for name in columns if not matched(name, columns) and not name.startswith(OTHERS)]
    meanings = {
        column: meaning
        for column, meaning in guess_columns(own, rows, criteria, systems).items()
        if meaning != "number"
    }
    meanings |= {column: "key" for column in ("id", "instance_id") if column in columns}
    meanings |= {column: "rater" for column in PEOPLE if column in columns}
    if FOLDER in columns and "rater" not in meanings.values():
        meanings[FOLDER] = "rater"  # a folder a person
    return meanings


def unfold(cells: Cells) -> Iterator[UnfoldedRow]:
    ratings = []
    for column, cell in cells.items():
        match = matched(column, cells)
        if match is None:
            continue
        found = match.groupdict()
        label = found["label"] or found["its"]
        if cell.strip().lower() in NO and cell.strip() != label:
            continue
        scaled = SCALE.match(label)
        value = scaled["number"] if scaled else label if cell.strip().lower() in ("true", "1") else cell
        name, place = numbered(found["name"] or found["of"])
        ratings.append((name, place, value))
    stretches = _spans(cells)
    spans = [label for one in stretches for label in one.labels]
    noted = not spans and any(cell and column.startswith("span") for column, cell in cells.items())
    seconds = next((cells[name] for name in SPENT if cells.get(name)), "")
    yield UnfoldedRow(cells, seconds=seconds, ratings=ratings, notes=["spans"] if noted else [], spans=spans,
                      placed=stretches)  # fmt: skip


def _spans(cells: Cells) -> list[Placed]:
    """Each span: of a folder of people, or of an export, where a cell holds them as JSON."""
    found = []
    for column, cell in cells.items():
        if cell and SPAN_NAME.match(column):
            stem = column.rpartition(".")[0]
            labels = [(cells.get(f"{stem}.schema", "") or "spans", cell)]
            found.append(
                placed(cells, labels, f"{stem}.start", f"{stem}.end", of=cells.get(f"{stem}.target_field", ""))
            )
    for column, cell in cells.items():
        if cell.startswith("[") and column.endswith("._spans"):
            try:
                spans = orjson.loads(cell)
            except ValueError:
                continue
            for one in (one for one in spans if isinstance(one, dict)):
                if label := one.get("name") or one.get("label"):
                    fields = {str(name): str(value) for name, value in one.items()}
                    labels = [(column.removesuffix("._spans"), str(label))]
                    found.append(placed(fields, labels, "start", "end", of=fields.get("target_field", "")))
    return found


TOOL_FORMAT = ToolFormat(
    "Potato", "Its folders of people, its exports, and annotated instances of earlier versions.",
    "https://potato-annotation.readthedocs.io/", fits, guess, unfold, finds_ratings=True,
    reads=lambda column: bool(LABEL.match(column)) or column.startswith(OTHERS),
)  # fmt: skip
