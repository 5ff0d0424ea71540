"""What a table, a figure and the sentences in their place hold, before they become a page, CSV, Markdown or LaTeX."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaluation.table_parts.cells import Cell


@dataclass(frozen=True)
class Table:
    """Rows of cells under a head; the first column names the row.

    `better` says of each column which end is the better one: True the higher, False the lower, None neither.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = field(default_factory=tuple)
    better: Sequence[bool | None] = field(default_factory=tuple)


@dataclass(frozen=True)
class Figure:
    """A chart: a Vega-Lite `spec` without its data, and the `rows` that it draws, named values, all of the same keys.

    The words of `describes` say to who cannot see it what there is to see.
    """

    title: str
    spec: Mapping[str, Any]
    rows: Sequence[Mapping[str, str | float | None]]
    describes: str
    notes: Sequence[str] = field(default_factory=tuple)


@dataclass(frozen=True)
class MissingContent:
    """Why a study does not give this table: a sentence for each thing that it lacks."""

    title: str
    reasons: Sequence[str]


Content = Table | Figure | MissingContent
