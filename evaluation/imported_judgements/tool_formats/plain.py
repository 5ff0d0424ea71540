"""Any other table: long, with a criterion a row, or wide, with a column for each."""

from evaluation.imported_judgements.columns import guess_columns
from evaluation.imported_judgements.tool_formats._base import ToolFormat

TOOL_FORMAT = ToolFormat(
    "Another table", "Long, with a row for each value, or wide, with a column for each criterion.", "",
    lambda columns, rows: True, guess_columns,
)  # fmt: skip
