"""What a renderer is: a report in, a text out."""

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

from evaluation.tables import TABLES, Record, Table

ORDER = ("systems", "agreement", "correlations")


@dataclass(frozen=True)
class Renderer:
    """`render(report) -> str`, with the type and the ending of the file it makes."""

    label: str
    content_type: str
    ending: str
    render: Callable[[dict[str, Any]], str]


def tables_of(report: dict[str, Any]) -> list[Table]:
    """The report's tables, in the order in which they are read."""
    return [TABLES[name].make(cast(Record, SimpleNamespace(report=report))) for name in ORDER]
