"""The long tables that Restyle itself exports: people's answers, and all judgements that count."""

from collections.abc import Collection, Sequence

from evaluation.imported_judgements.tool_formats._base import Cells, ToolFormat

MEANT = {
    "annotator": "rater", "source_id": "number", "source": "source", "text": "output", "criterion": "criterion",
    "value": "value", "scale": "scale", "seconds": "seconds", "counts": "state",
}  # fmt: skip
TABLE = ("rater", "direction", "number", "source", "text", "system", "criterion", "value", "scale", "seconds")
"""The columns of all judgements of a study, of campaigns and from elsewhere."""


def fits(columns: Sequence[str], rows: Sequence[Cells]) -> bool:
    return {"annotator", "guideline_version", "criterion", "value", "counts"} <= set(columns) or tuple(columns) == TABLE


def guess(
    columns: Sequence[str], rows: Sequence[Cells], criteria: Collection[str], systems: Collection[str]
) -> dict[str, str]:
    if tuple(columns) == TABLE:
        return {column: "output" if column == "text" else column for column in TABLE}
    return {column: meaning for column, meaning in MEANT.items() if column in columns}


TOOL_FORMAT = ToolFormat(
    "Restyle", "The long table of answers or of judgements, of another study or site.", "", fits, guess
)
