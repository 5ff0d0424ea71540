"""Rows as tables: data frames of pandas and polars, CSV to send, and what a notebook shows."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from restyle.errors import RestyleError

if TYPE_CHECKING:
    import pandas
    import polars

Row = TypeVar("Row")
SHOWN = 20  # rows of a table in a notebook
LONGEST = 120  # characters of a cell there


class Rows(list[Row], Generic[Row]):
    """A list of rows, or of objects with `data`; a notebook shows it as a table."""

    def records(self) -> list[dict[str, Any]]:
        return [dict(getattr(one, "data", None) or cast(Any, one)) for one in self]

    def to_pandas(self) -> "pandas.DataFrame":
        return to_pandas(self.records())

    def to_polars(self) -> "polars.DataFrame":
        return to_polars(self.records())

    def _repr_html_(self) -> str:
        return html_table(self.records())


def to_pandas(records: Iterable[Mapping[str, Any]]) -> "pandas.DataFrame":
    try:
        import pandas
    except ImportError:
        raise RestyleError("pandas is not installed: pip install 'restyle[pandas]'.") from None
    return pandas.DataFrame(list(map(dict, records)))


def to_polars(records: Iterable[Mapping[str, Any]]) -> "polars.DataFrame":
    try:
        import polars
    except ImportError:
        raise RestyleError("polars is not installed: pip install 'restyle[polars]'.") from None
    return polars.DataFrame(list(map(dict, records)), infer_schema_length=None)


def csv_of(table: Any) -> bytes:
    """A data frame, or rows of names and values, as CSV in UTF-8. A missing value is an empty cell."""
    try:
        return _written(table).encode()
    except UnicodeEncodeError:
        raise RestyleError("The table holds half a character (a surrogate), which no file can hold.") from None


def _written(table: Any) -> str:
    if hasattr(table, "collect") and hasattr(table, "lazy"):  # a query of polars
        table = table.collect()
    if hasattr(table, "write_csv"):  # polars
        try:
            return str(table.write_csv())
        except Exception as error:  # its own classes, which are not here
            raise RestyleError(f"The data frame is no table of plain values: {error}.") from None
    if hasattr(table, "to_csv"):  # pandas; an index with a name is a column that somebody moved there
        names = getattr(getattr(table, "index", None), "names", [])
        return str(table.to_csv(index=any(name is not None for name in names)))
    rows = list(table) if isinstance(table, Iterable) else []
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        raise RestyleError("Give a table as a path, bytes, a data frame, or rows such as [{'source': '...'}].")
    names = list(dict.fromkeys(str(name) for row in rows for name in row))
    written = io.StringIO(newline="")
    writer = csv.DictWriter(written, names)
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue()


def html_table(records: Sequence[Mapping[str, Any]], caption: str = "") -> str:
    """The first rows as a table; all texts are escaped."""
    names = list(dict.fromkeys(name for row in records[:SHOWN] for name in row))
    head = "".join(f"<th>{escape(str(name))}</th>" for name in names)
    lines = ["".join(f"<td>{escape(shown(row.get(name)))}</td>" for name in names) for row in records[:SHOWN]]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    more = f"<p>... and {len(records) - SHOWN} more</p>" if len(records) > SHOWN else ""
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def text_table(records: Sequence[Mapping[str, Any]]) -> str:
    """The rows in columns of equal width, for a terminal; numbers stand at the right."""
    if not records:
        return ""
    names = list(dict.fromkeys(name for row in records for name in row))
    cells = [[shown(row.get(name)) for name in names] for row in records]
    wide = [max(len(name), *(len(line[place]) for line in cells)) for place, name in enumerate(names)]
    right = [all(isinstance(row.get(name), int | float | type(None)) for row in records) for name in names]
    lines = [names, ["-" * one for one in wide], *cells]
    return "\n".join(
        "  ".join(
            text.rjust(width) if at_right else text.ljust(width)
            for text, width, at_right in zip(line, wide, right, strict=True)
        ).rstrip()
        for line in lines
    )


def shown(value: Any) -> str:
    """A value for people: numbers with four places, no word for a missing one."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
