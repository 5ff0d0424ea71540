"""WMT's ESA judgements: JSON lines, a text a row with its marked errors and its score."""

from collections.abc import Collection, Iterator, Sequence

from annotation.marked_texts import listed_marks
from evaluation.imported_judgements.rows import UnfoldedRow
from evaluation.imported_judgements.tool_formats._base import NO_SPANS, Cells, ToolFormat

MEANT = {"annotator": "rater", "src": "source", "tgt": "output", "system": "system"}
OURS = frozenset({"doc_id", "line_id", "langs", "domain", "esa_spans", "esa_score"})
NOT_NEEDED = ("times", "speech_info")


def fits(columns: Sequence[str], rows: Sequence[Cells]) -> bool:
    return {*MEANT, "esa_score"} <= set(columns)


def guess(
    columns: Sequence[str], rows: Sequence[Cells], criteria: Collection[str], systems: Collection[str]
) -> dict[str, str]:
    return dict(MEANT)


def unfold(cells: Cells) -> Iterator[UnfoldedRow]:
    score = cells.get("esa_score", "")
    ratings = [("score", 0, score)] if score else []
    try:
        marks = listed_marks(cells.get("esa_spans", ""), cells.get("tgt", ""), inclusive=False)
    except (ValueError, KeyError, TypeError):
        yield UnfoldedRow(cells, ratings=ratings, unusable=NO_SPANS)
        return
    yield UnfoldedRow(cells, ratings=ratings, marks=[(0, marks)])


TOOL_FORMAT = ToolFormat(
    "ESA judgements", "Marked errors and scores as WMT publishes them, as JSON lines.",
    "https://github.com/wmt-conference/wmt24-news-systems", fits, guess, unfold, finds_ratings=True,
    reads=lambda column: column in OURS or column.partition(".")[0] in NOT_NEEDED,
)  # fmt: skip
