"""The pages of tables and figures. They show stored content. Nothing is computed; no maker is imported."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from evaluation.models import Report
from evaluation.rendering import RENDERERS, Renderer, forms_of
from evaluation.rendering.json import vega_lite
from evaluation.report_files import file_of_table
from evaluation.table_parts.contents import JUDGEMENTS, Cell, Column, Entry, Figure, in_order
from evaluation.views.localized_numbers import localized_cell
from evaluation.views.report_state import freshness, report_of
from evaluation.views.table_words import said_cell, said_figure, said_head
from foundation.errors import UserError
from foundation.papers import Paper

# Columns of a table in groups, by the rows behind their numbers: judgements, or metrics of an aspect.

GROUPS = {
    JUDGEMENTS: gettext_noop("Judgements"),
    "style": gettext_noop("Metrics of style"),
    "fluency": gettext_noop("Metrics of fluency"),
    "meaning": gettext_noop("Metrics of meaning"),
    "content": gettext_noop("Metrics of content"),
    "simplicity": gettext_noop("Metrics of simplicity"),
    "overall": gettext_noop("Metrics of the whole"),
}
NARROW = 5  # columns; of more a person chooses


def ordered(groups: Sequence[str]) -> list[int]:
    """The places of columns with those of a group together; groups in the order of their first columns. A column
    without a group stays behind the one before it."""
    homes: list[str] = []
    for group in groups:
        homes.append(group or (homes[-1] if homes else ""))
    first = {home: place for place, home in reversed(list(enumerate(homes)))}
    return sorted(range(len(groups)), key=lambda place: first[homes[place]])


class Shown(Entry):
    """An entry as its page has it: columns of a group together, words and numbers as its reader writes them."""

    @property
    def title(self) -> str:
        return _(super().title)

    @cached_property
    def figure(self) -> Figure | None:
        """The figure as it is drawn."""
        figure = super().figure
        return said_figure(figure) if figure else None

    @cached_property
    def columns(self) -> list[Column]:
        """Those of the table, or of a figure's data."""
        content = self.figure.data if self.figure else self.table
        columns = content.columns if content else []
        return [columns[place] for place in ordered([column.group for column in columns])]

    @property
    def heads(self) -> list[tuple[Column, str, str]]:
        """The columns, each with its head as it is read, and the name of its group."""
        return [
            (column, said_head(column.head), _(GROUPS[column.group]) if column.group else "") for column in self.columns
        ]

    @property
    def rows(self) -> Iterator[list[tuple[Column, str, Cell, str]]]:
        """The cells of each row, with their columns and the heads of these, and for a dash the id of its reason."""
        return map(list, zip(*map(self._cells, self.columns), strict=True))

    @property
    def tools(self) -> str:
        """The name of its tools, where there are so many columns that they are chosen from."""
        return self.name if len(self.columns) > NARROW else ""

    @cached_property
    def reasons(self) -> dict[str, str]:
        """The reasons why there is no number, each once, and their ids."""
        rows = self.table.rows if self.table else []
        every = dict.fromkeys(cell.why for row in rows for cell in row if cell.value is None)
        return {why: f"why-{self.name}-{number}" for number, why in enumerate(every) if why}

    @property
    def drawn_id(self) -> str:
        """The id of the element that holds the chart's specification, where its page does."""
        return f"drawn-{self.name}"

    @property
    def spec(self) -> dict[str, Any]:
        """The Vega-Lite of a figure with its data."""
        return vega_lite(self.figure, self.title) if self.figure else {}

    @property
    def forms(self) -> dict[str, Renderer]:
        """The forms in which it is downloaded."""
        return {} if self.lacking else forms_of("figure" if self.figure else "table")

    def _cells(self, column: Column) -> Iterator[tuple[Column, str, Cell, str]]:
        head = said_head(column.head)
        for cell in column.cells:
            why = "" if cell.value is not None else self.reasons.get(cell.why, "")
            yield column, head, said_cell(column.head, localized_cell(cell)), why


@dataclass(frozen=True)
class Group:
    """Entries shown together: every study's, those on trust in metrics, or a paper's; and those that are lacking."""

    kind: str
    paper: Paper | None
    made: Sequence[Shown]
    lacking: Sequence[Shown]


def shown(report: Report | None, name: str) -> Shown | None:
    """The table or figure of this name; None where the report has none."""
    stored = report.tables_and_figures.get(name) if report else None
    return None if stored is None else Shown.of(stored)


def all_shown(report: Report) -> list[Group]:
    """All of them: every study's, then which metric to trust, then paper by paper."""
    every = map(Shown.of, in_order(report.tables_and_figures))
    return [_group(list(of)) for _, of in groupby(every, key=_home)]


def _home(shown: Shown) -> tuple[str, Paper | None]:
    return shown.kind, shown.paper if shown.kind == "paper" else None


def _group(every: list[Shown]) -> Group:
    available = [shown for shown in every if not shown.lacking]
    return Group(*_home(every[0]), available, [shown for shown in every if shown.lacking])


@require_safe
def study_tables(request: Any, study: str) -> HttpResponse:
    """All by paper, those that the study lacks with the reasons."""
    report = report_of(request)
    groups = all_shown(report) if report else []
    return render(request, "evaluation/tables_and_figures.html", {"groups": groups, **freshness(request, report)})


@require_safe
def study_table(request: Any, study: str, name: str) -> HttpResponse:
    """One table or figure."""
    report = report_of(request)
    table_or_figure = shown(report, name) if report else None
    if table_or_figure is None:
        raise Http404(_("There is no such table."))
    return render(
        request,
        "evaluation/table_or_figure.html",
        {"table_or_figure": table_or_figure, **freshness(request, report)},
    )


@require_safe
def table_file(request: Any, study: str, name: str, form: str) -> HttpResponse:
    """A table or figure in one of its forms; a page with the sentence where there is none.

    A page that draws a figure gets it in its reader's language, as do the pictures of it that the page offers.
    """
    report = report_of(request)
    drawn_by_page, of_page = (request.GET.get(key) == "page" for key in ("shown", "words"))
    is_picture = form in RENDERERS and RENDERERS[form].is_picture
    if form == "json" and drawn_by_page and (drawn := shown(report, name)) and drawn.figure:
        return JsonResponse(drawn.spec)
    try:
        read = Shown.of if is_picture and (drawn_by_page or of_page) else Entry.of
        return file_of_table(request.study.slug, report, name, form, read)
    except UserError as error:
        return render(request, "404.html", {"sentence": str(error)}, status=404)
