"""The long table that Restyle itself gives out, of what people answered."""

from collections.abc import Collection, Sequence

from evaluation.imported_judgements.tool_formats._base import Cells, ToolFormat

MEANT = {
    "annotator": "rater", "source_id": "number", "source": "source", "text": "output", "criterion": "criterion",
    "value": "value", "scale": "scale", "seconds": "seconds", "counts": "state",
}  # fmt: skip


def fits(columns: Sequence[str], rows: Sequence[Cells]) -> bool:
    return {"annotator", "guideline_version", "criterion", "value", "counts"} <= set(columns)


def guess(
    columns: Sequence[str], rows: Sequence[Cells], criteria: Collection[str], systems: Collection[str]
) -> dict[str, str]:
    return {column: meaning for column, meaning in MEANT.items() if column in columns}


TOOL_FORMAT = ToolFormat(
    "Restyle", "The long table of answers, CSV or Parquet, of another study or site.", "", fits, guess
)
