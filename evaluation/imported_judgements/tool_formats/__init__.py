"""The tables of known tools; a file is one, and holds it as `TOOL_FORMAT`. No Django."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluation.imported_judgements.tool_formats._base import ToolFormat
from foundation.registry import Registry

TOOL_FORMATS = Registry[ToolFormat](
    "preset", "evaluation.imported_judgements.tool_formats", Path(__file__).parent, attribute="TOOL_FORMAT"
)

__all__ = ["TOOL_FORMATS", "recognised_format"]


def recognised_format(columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> str:
    """The tool that such a table comes from; "plain" for an unknown one."""
    names = [name for name in TOOL_FORMATS.names() if name != "plain"]
    return next((name for name in names if TOOL_FORMATS[name].fits(columns, rows)), "plain")
