"""Google's MQM ratings, as WMT publishes them: a tab-separated row a mark, its span between <v> and </v>.

Rows of errors that were put in to see whether raters find them are left out.
"""

from collections.abc import Collection, Iterator, Sequence

from annotation.marked_texts import CLEAN, CONTROL, new_mark, tagged_span
from evaluation.imported_judgements.rows import UnfoldedRow
from evaluation.imported_judgements.tool_formats._base import Cells, ToolFormat

MEANT = {"system": "system", "rater": "rater", "source": "source", "target": "output"}
READ = frozenset({"category", "severity", "doc", "doc_id", "seg_id", "docSegId", "globalSegId", "comment", "metadata"})


def fits(columns: Sequence[str], rows: Sequence[Cells]) -> bool:
    return {*MEANT, "category", "severity"} <= set(columns)


def guess(
    columns: Sequence[str], rows: Sequence[Cells], criteria: Collection[str], systems: Collection[str]
) -> dict[str, str]:
    return {column: meaning for column, meaning in MEANT.items() if column in columns}


def unfold(cells: Cells) -> Iterator[UnfoldedRow]:
    (source, in_source), (target, in_target) = (tagged_span(cells.get(name, "")) for name in ("source", "target"))
    kind, severity = cells.get("category", "").strip(), cells.get("severity", "").strip()
    side, place = ("source", in_source) if in_source and not in_target else ("output", in_target)
    start, end = place or (len(target), len(target))
    clean = CLEAN.casefold() in (kind.casefold(), severity.casefold())
    marks = [] if clean else [new_mark(side, start, end, kind, severity)]
    control = "control" if kind.casefold() == CONTROL.casefold() else ""
    yield UnfoldedRow(
        {**cells, "source": source, "target": target}, marks=[(0, marks)], adds_marks=True, left_out=control
    )


TOOL_FORMAT = ToolFormat(
    "MQM ratings", "Marked errors as Google and WMT publish them, tab-separated.",
    "https://github.com/google/wmt-mqm-human-evaluation", fits, guess, unfold, finds_ratings=True,
    reads=lambda column: column in READ, short_rows=True,
)  # fmt: skip
