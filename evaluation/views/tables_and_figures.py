"""The pages of tables and figures. They show stored content. Nothing is computed; no maker is imported."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from evaluation.comparability.better_ends import metric_named
from evaluation.metrics import METRICS
from evaluation.models import Report
from evaluation.rendering import Renderer, data_of, forms_of, in_order, of_numbers
from evaluation.report_files import file_of_table
from evaluation.table_parts.contents import Cell, Content, Figure, MissingContent, Table, content_of
from evaluation.views.localized_numbers import localized
from evaluation.views.report_state import freshness, report_of
from foundation.errors import UserError
from foundation.papers import Paper

# Columns of a table in groups, by the rows behind their numbers: judgements, or metrics of an aspect.

JUDGEMENTS = gettext_noop("Judgements")
METRIC_GROUPS = {
    "style": gettext_noop("Metrics of style"),
    "fluency": gettext_noop("Metrics of fluency"),
    "meaning": gettext_noop("Metrics of meaning"),
    "content": gettext_noop("Metrics of content"),
    "simplicity": gettext_noop("Metrics of simplicity"),
    "overall": gettext_noop("Metrics of the whole"),
}


def group_of(column: Iterable[Cell]) -> str:
    """The group of a column by its first cell with rows behind it; "" where they name none."""
    behind = next((cell.rows for cell in column if cell.rows), {})
    if "criterion" in behind:
        return _(JUDGEMENTS)
    name = behind.get("metric", "")
    if name.partition(" (")[0] not in METRICS:
        return ""
    return _(METRIC_GROUPS[metric_named(name).aspect])


def ordered(groups: Sequence[str]) -> list[int]:
    """The places of columns with those of a group together; groups in the order of their first columns. A column
    without a group stays behind the one before it."""
    homes: list[str] = []
    for group in groups:
        homes.append(group or (homes[-1] if homes else ""))
    first = {home: place for place, home in reversed(list(enumerate(homes)))}
    return sorted(range(len(groups)), key=lambda place: first[homes[place]])


NARROW = 5  # columns; of more a person chooses


@dataclass(frozen=True)
class Head:
    """A column's name, which end is the better one, whether its cells are numbers, and the group that it stands in."""

    name: str
    better: bool | None
    numbers: bool
    group: str = ""


@dataclass(frozen=True)
class Place:
    """A cell in its column; `asks` is the query of the page of rows, `why` the id of the reason for a dash."""

    head: Head
    cell: Cell
    asks: str
    why: str

    @property
    def text(self) -> str:
        """The cell's own; a number with a minus, as people write it."""
        return self.cell.text if self.cell.value is None else localized(self.cell.text)

    @property
    def small(self) -> str:
        return self.cell.small if self.cell.value is None else localized(self.cell.small)


@dataclass(frozen=True)
class Shown:
    """A table, a figure, or the reasons why there is none."""

    name: str
    kind: str
    number: str
    paper: Paper | None
    made: Content

    @property
    def title(self) -> str:
        return self.made.title

    @property
    def notes(self) -> Sequence[str]:
        return () if isinstance(self.made, MissingContent) else self.made.notes

    @property
    def table(self) -> Table | None:
        return self.made if isinstance(self.made, Table) else None

    @property
    def figure(self) -> Figure | None:
        return self.made if isinstance(self.made, Figure) else None

    @property
    def lacking(self) -> MissingContent | None:
        return self.made if isinstance(self.made, MissingContent) else None

    @cached_property
    def cells(self) -> Table:
        """The table, or a figure's data."""
        if self.figure:
            return data_of(self.figure)
        return self.table or Table(self.title, [], [])

    @cached_property
    def heads(self) -> list[Head]:
        """The columns, those of a group together."""
        table = self.cells
        better = [*table.better, *[None] * (len(table.head) - len(table.better))]
        columns = [Head(*column) for column in zip(table.head, better, of_numbers(table), self._groups, strict=True)]
        return [columns[place] for place in self._order]

    @property
    def rows(self) -> list[list[Place]]:
        ordered_rows = ([row[place] for place in self._order] for row in self.cells.rows)
        return [[self._place(*pair) for pair in zip(self.heads, row, strict=True)] for row in ordered_rows]

    @property
    def wide(self) -> bool:
        """Whether there are so many columns that they are chosen from."""
        return len(self.heads) > NARROW

    @property
    def reasons(self) -> list[tuple[str, str]]:
        """Why there is no number, each reason once: its id, and the sentence."""
        return [(place, why) for why, place in self._whys.items()]

    @property
    def forms(self) -> list[tuple[str, Renderer]]:
        """The forms in which it is downloaded."""
        return [] if self.lacking else list(forms_of("figure" if self.figure else "table").items())

    @cached_property
    def _groups(self) -> list[str]:
        columns = zip(*self.cells.rows, strict=True) if self.cells.rows else [()] * len(self.cells.head)
        return [group_of(column) for column in columns]

    @cached_property
    def _order(self) -> list[int]:
        return ordered(self._groups)

    @cached_property
    def _whys(self) -> dict[str, str]:
        every = dict.fromkeys(cell.why for row in self.cells.rows for cell in row if cell.value is None)
        return {why: f"why-{self.name}-{number}" for number, why in enumerate(every) if why}

    def _place(self, head: Head, cell: Cell) -> Place:
        return Place(head, cell, urlencode(cell.rows), "" if cell.value is not None else self._whys.get(cell.why, ""))


@dataclass(frozen=True)
class Group:
    """Entries shown together: every study's, those on trust in metrics, or a paper's; and those that are lacking."""

    kind: str
    paper: Paper | None
    made: Sequence[Shown]
    lacking: Sequence[Shown]


def shown(report: Report, name: str) -> Shown | None:
    """The table or figure of this name; None where the report has none."""
    stored = report.tables_and_figures.get(name)
    return None if stored is None else _shown(name, stored)


def all_shown(report: Report) -> list[Group]:
    """All of them: every study's, then which metric to trust, then paper by paper."""
    every = [_shown(name, stored) for name, stored in in_order(report.tables_and_figures)]
    return [_group(list(of)) for _, of in groupby(every, key=_home)]


def _home(shown: Shown) -> tuple[str, Paper | None]:
    return shown.kind, shown.paper if shown.kind == "paper" else None


def _group(every: list[Shown]) -> Group:
    available = [shown for shown in every if not shown.lacking]
    return Group(*_home(every[0]), available, [shown for shown in every if shown.lacking])


def _shown(name: str, stored: Mapping[str, Any]) -> Shown:
    paper = Paper(**stored["paper"]) if stored["paper"] else None
    return Shown(name, stored["kind"], stored["number"], paper, content_of(stored))


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
        {"table_or_figure": table_or_figure, "crumbs": crumbs_of(study), **freshness(request, report)},
    )


@require_safe
def table_file(request: Any, study: str, name: str, form: str) -> HttpResponse:
    """A table or figure in one of its forms; a page with the sentence where there is none."""
    report = report_of(request)
    try:
        return file_of_table(request.study.slug, report, name, form)
    except UserError as error:
        return render(request, "404.html", {"sentence": str(error)}, status=404)


def crumbs_of(study: str) -> list[dict[str, str]]:
    """The way to a table."""
    return [{"url": reverse("study_tables", args=[study]), "label": _("Tables and figures")}]
