"""Any other table: long, with a criterion a row, or wide, with a column for each."""

from evaluation.elsewhere.guessing import guess
from evaluation.elsewhere.presets._base import Preset

PRESET = Preset(
    "Another table", "Long, with a row for each value, or wide, with a column for each criterion.", "",
    lambda columns, rows: True, guess,
)  # fmt: skip
