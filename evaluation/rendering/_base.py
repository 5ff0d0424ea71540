"""The contract of a renderer: a table, a figure or a whole report in, a file out."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.table_parts.contents import Entry, Figure, Table, in_order
from foundation.errors import UserError

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Renderer:
    """`table`, `figure` and `whole` make the file; its type and ending are said; None where there is none.

    `whole` takes the report as it is kept, and its tables and figures in their order. One that `is_picture` shows the
    words of a figure, so that pages ask for it in their language.
    """

    label: str
    content_type: str
    ending: str
    table: Callable[[Table, str], str | bytes] | None = None
    figure: Callable[[Figure, str], str | bytes] | None = None
    whole: Callable[[Json, Iterable[Entry]], str | bytes] | None = None
    is_picture: bool = False

    def table_or_figure(self, stored: Json) -> bytes:
        """The file of one stored table or figure. UserError where it was not made, or has no such form."""
        return self.entry(Entry.of(stored))

    def entry(self, entry: Entry) -> bytes:
        """The same of one that was read, maybe in the language of a page."""
        if entry.lacking:
            raise UserError(" ".join([f"The study does not give '{entry.title}'.", *entry.lacking.reasons]))
        rendered = self.table(entry.table, entry.full_title) if entry.table and self.table else None
        if entry.figure and self.figure:
            rendered = self.figure(entry.figure, entry.full_title)
        return self._bytes(rendered, "table" if entry.table else "figure")

    def report(self, content: Json, tables_and_figures: Mapping[str, Json]) -> bytes:
        """The file of a whole report, of which both are stored. UserError where it has no such form."""
        entries = map(Entry.of, in_order(tables_and_figures))
        return self._bytes(self.whole(content, entries) if self.whole else None, "report")

    def fits(self, kind: str) -> bool:
        """Whether it makes files of a "table", a "figure" or a "report"."""
        return {"table": self.table, "figure": self.figure, "report": self.whole}[kind] is not None

    def _bytes(self, rendered: str | bytes | None, kind: str) -> bytes:
        if rendered is None:
            raise UserError("A {kind} has no format {label}.", kind=kind, label=self.label)
        return rendered.encode() if isinstance(rendered, str) else rendered
