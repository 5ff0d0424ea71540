"""The contract of a renderer: a table, a figure or a whole report in, a file out."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.table_parts.contents import Content, Figure, MissingContent, Table, content_of
from foundation.errors import UserError

Json = Mapping[str, Any]
KINDS = ("study", "trust", "paper")


@dataclass(frozen=True)
class Whole:
    """A report with its tables and figures by name, as they are stored."""

    report: Json
    tables_and_figures: Mapping[str, Json]

    def made(self) -> Iterator[tuple[str, Content]]:
        """Their titles, with the paper's number, and their contents, as `in_order` has them."""
        for _, stored in in_order(self.tables_and_figures):
            yield title_of(stored), content_of(stored)


@dataclass(frozen=True)
class Renderer:
    """`table`, `figure` and `whole` make the file; its type and ending are said; None where there is none."""

    label: str
    content_type: str
    ending: str
    table: Callable[[Table, str], str | bytes] | None = None
    figure: Callable[[Figure, str], str | bytes] | None = None
    whole: Callable[[Whole], str | bytes] | None = None

    def table_or_figure(self, stored: Json) -> bytes:
        """The file of one stored table or figure. UserError where it was not made, or has no such form."""
        content = content_of(stored)
        if isinstance(content, MissingContent):
            raise UserError(" ".join([f"The study does not give '{content.title}'.", *content.reasons]))
        rendered = self.table(content, title_of(stored)) if isinstance(content, Table) and self.table else None
        if isinstance(content, Figure) and self.figure:
            rendered = self.figure(content, title_of(stored))
        return self._bytes(rendered, "table" if isinstance(content, Table) else "figure")

    def report(self, given: Whole) -> bytes:
        """The file of a whole report. UserError where it has no such form."""
        return self._bytes(self.whole(given) if self.whole else None, "report")

    def fits(self, kind: str) -> bool:
        """Whether it makes files of a "table", a "figure" or a "report"."""
        return {"table": self.table, "figure": self.figure, "report": self.whole}[kind] is not None

    def _bytes(self, rendered: str | bytes | None, kind: str) -> bytes:
        if rendered is None:
            raise UserError("A {kind} has no format {label}.", kind=kind, label=self.label)
        return rendered.encode() if isinstance(rendered, str) else rendered


def in_order(tables_and_figures: Mapping[str, Json]) -> list[tuple[str, Json]]:
    """Those of every study first, then which metric to trust, then the papers', each by their order."""
    return sorted(
        tables_and_figures.items(), key=lambda pair: (KINDS.index(pair[1]["kind"]), pair[1]["order"], pair[0])
    )


def title_of(stored: Json) -> str:
    """'Rao and Tetreault (2018), Table 4: Systems by people', or its title alone."""
    paper, title = stored["paper"], stored["made"]["title"]
    where = ", ".join(part for part in (paper and f"{paper['authors']} ({paper['year']})", stored["number"]) if part)
    return f"{where}: {title}" if where else str(title)
